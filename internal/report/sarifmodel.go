package report

import "pillion.dev/pillion/finding"

// The part of SARIF that is written, with the names of the standard.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool struct {
			Driver sarifDriver `json:"driver"`
		} `json:"tool"`
		Invocations []sarifInvocation `json:"invocations"`
		ColumnKind  string            `json:"columnKind"`
		Results     []sarifResult     `json:"results"`
	}
	sarifDriver struct {
		Name  string      `json:"name"`
		Rules []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID      finding.Code       `json:"id"`
		Name    string             `json:"name"`
		Short   sarifText          `json:"shortDescription"`
		Full    sarifText          `json:"fullDescription"`
		Help    sarifText          `json:"help"`
		Default sarifConfiguration `json:"defaultConfiguration"`
	}
	sarifConfiguration struct {
		Level string `json:"level"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifInvocation struct {
		ExecutionSuccessful bool                `json:"executionSuccessful"`
		Notifications       []sarifNotification `json:"toolExecutionNotifications,omitempty"`
	}
	sarifNotification struct {
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Rule      sarifRuleRef    `json:"associatedRule"`
		Locations []sarifLocation `json:"locations,omitempty"`
	}
	sarifRuleRef struct {
		ID    finding.Code `json:"id"`
		Index int          `json:"index"`
	}
	sarifResult struct {
		RuleID    finding.Code    `json:"ruleId"`
		RuleIndex int             `json:"ruleIndex"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations"`
	}
	sarifLocation struct {
		Physical *sarifPhysical `json:"physicalLocation,omitempty"`
		Logical  []sarifLogical `json:"logicalLocations,omitempty"`
	}
	sarifPhysical struct {
		File   sarifFile    `json:"artifactLocation"`
		Region *sarifRegion `json:"region,omitempty"`
	}
	sarifFile struct {
		URI  string `json:"uri"`
		Base string `json:"uriBaseId,omitempty"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn,omitempty"`
	}
	sarifLogical struct {
		Name     string `json:"name"`
		FullName string `json:"fullyQualifiedName"`
		Kind     string `json:"kind"`
	}
)
