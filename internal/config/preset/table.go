package preset

// Patterns of values, which several settings share.
const (
	portPattern = `[1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]`
	hostPattern = `[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?`
	urlPattern  = `https?://(?:` + hostPattern + `|\[[0-9A-Fa-f:.]+\])(?::(?:` + portPattern + `))?(?:/[A-Za-z0-9._~/-]*)?`
	dirPattern  = `(?:/[A-Za-z0-9_][A-Za-z0-9._-]*)+`
)

// otlpEndpoint is the setting of the presets that send telemetry.
var otlpEndpoint = Setting{
	Name:    "endpoint",
	Meaning: "the URL to send OTLP over HTTP to",
	Example: "http://otel-gateway.observability:4318",
	Pattern: urlPattern,
	Mistakes: []Mistake{
		{`.*/v1/(?:traces|metrics|logs)/?`, "which is the URL of one signal; write the part before /v1"},
		{`https?://[^/]*:4317/?`, "whose port 4317 is for gRPC; write the one for HTTP, which is usually 4318"},
	},
}

// agentVolume is the setting of the presets that load an agent into the app.
var agentVolume = Setting{
	Name:    "agent",
	Meaning: "copy, or image-volume from Kubernetes 1.36 on",
	Example: "image-volume", Default: "copy", Pattern: "copy|image-volume",
}

// appPort is the setting of the presets that pass requests on to the app.
var appPort = Setting{
	Name:    "app-port",
	Meaning: "the port of the app; exported patches need the number",
	Example: "8080", Default: "${container.port}", Pattern: portPattern + `|\$\{container\.port\}`,
}

// nameLabel is the setting of the presets that name the app's service. A pod does not know its workload, so admission
// policies need it.
var nameLabel = Setting{
	Name:    "name-label",
	Meaning: "the key of a label with the name of the service",
	Example: "app.kubernetes.io/name", Default: "${workload.name}", Form: "${pod.labels['%s']}",
	Pattern: `(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?/)?[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?|\$\{workload\.name\}`,
}

// gatewayEndpoint is the setting of the collector, which is in the pod itself.
var gatewayEndpoint = Setting{
	Name: otlpEndpoint.Name, Meaning: otlpEndpoint.Meaning, Example: otlpEndpoint.Example, Pattern: otlpEndpoint.Pattern,
	Mistakes: append([]Mistake{{
		`https?://(?:localhost|127\.[0-9.]+|\[::1\])(?:[:/].*)?`,
		"which is the pod that the collector runs in; write where it should send the data",
	}}, otlpEndpoint.Mistakes...),
}

const (
	checked     = "2026-11-15"
	agentImages = "ghcr.io/open-telemetry/opentelemetry-operator/autoinstrumentation-"
	agentSource = "https://github.com/open-telemetry/opentelemetry-operator"
)

// leftOut are sidecars that people look for and that are not presets, on purpose; docs/how-to/presets.md says why.
var leftOut = []string{"datadog", "datadog-agent", "istio", "istio-proxy", "tailscale"}

// All is the table of the presets: init, docs/how-to/presets.md and the tests read it.
var All = []Preset{
	{
		Name:    "cloud-sql-proxy",
		Summary: "connects to a Cloud SQL database with IAM and TLS",
		Image:   "gcr.io/cloud-sql-connectors/cloud-sql-proxy:2.25.3",
		Source:  "https://github.com/GoogleCloudPlatform/cloud-sql-proxy",
		Checked: checked,
		Settings: []Setting{
			{
				Name:    "instance",
				Meaning: "the connection name of the instance: PROJECT:REGION:INSTANCE",
				Example: "my-project:europe-west1:orders",
				Pattern: `(?:[a-z0-9.-]+:)?[a-z][a-z0-9-]*:[a-z0-9-]+:[a-z][a-z0-9-]*`,
			},
			{
				Name:    "port",
				Meaning: "the port for the app: 5432 for PostgreSQL, 3306 for MySQL, 1433 for SQL Server",
				Example: "3306", Default: "5432", Pattern: portPattern,
				Mistakes: []Mistake{{`9801|9092`, "which the proxy uses for its health checks or its admin interface; choose another port"}},
			},
		},
		Beside: []string{"a ServiceAccount that may use the instance"},
	},
	{
		Name:     "otel-collector",
		Summary:  "takes OpenTelemetry data from the app and sends it on",
		Image:    "docker.io/otel/opentelemetry-collector:0.159.0",
		Source:   "https://github.com/open-telemetry/opentelemetry-collector-releases",
		Checked:  checked,
		Settings: []Setting{gatewayEndpoint, nameLabel},
	},
	{
		Name:     "otel-java",
		Summary:  "loads the OpenTelemetry agent into Java apps",
		Image:    agentImages + "java:2.30.0",
		Source:   agentSource,
		Checked:  checked,
		Settings: []Setting{otlpEndpoint, agentVolume, nameLabel},
	},
	{
		Name:     "otel-nodejs",
		Summary:  "loads the OpenTelemetry instrumentation into Node.js apps",
		Image:    agentImages + "nodejs:0.78.0",
		Source:   agentSource,
		Checked:  checked,
		Settings: []Setting{otlpEndpoint, agentVolume, nameLabel},
	},
	{
		Name:     "otel-python",
		Summary:  "loads the OpenTelemetry instrumentation into Python apps",
		Image:    agentImages + "python:0.64b0",
		Source:   agentSource,
		Checked:  checked,
		Settings: []Setting{otlpEndpoint, agentVolume, nameLabel},
	},
	{
		Name:    "fluent-bit",
		Summary: "ships the log files that the app writes to a directory",
		Image:   "cr.fluentbit.io/fluent/fluent-bit:5.1.1",
		Source:  "https://github.com/fluent/fluent-bit",
		Checked: checked,
		Settings: []Setting{{
			Name:    "path",
			Meaning: "the directory to which the app writes its log files",
			Example: "/var/log/shop", Pattern: dirPattern,
			Mistakes: []Mistake{
				{`/.*/`, "which ends in a slash; write it without"},
				{`/fluent-bit(?:/.*)?`, "where Fluent Bit has its own files; choose another directory"},
				{`.*\.log`, "which looks like a file; write its directory, from which all files that end in .log are read"},
			},
		}},
		Beside: []string{"the ConfigMap fluent-bit"},
	},
	{
		Name:    "oauth2-proxy",
		Summary: "lets only users reach the app who sign in with OpenID Connect",
		Image:   "quay.io/oauth2-proxy/oauth2-proxy:v7.15.3",
		Source:  "https://github.com/oauth2-proxy/oauth2-proxy",
		Checked: checked,
		Settings: []Setting{
			{
				Name:    "issuer",
				Meaning: "the URL of the OpenID Connect provider",
				Example: "https://accounts.google.com", Pattern: urlPattern,
			},
			{
				Name:    "host",
				Meaning: "the host name under which people reach the app",
				Example: "shop.example.com", Pattern: hostPattern,
				Mistakes: []Mistake{{`.*[:/].*`, "which is more than a name; write it without https://, port and path"}},
			},
			{
				Name:    "email-domain",
				Meaning: "the domain of the addresses that may sign in, or * for everybody with an account of the provider",
				Example: "example.com", Pattern: hostPattern + `|\*`,
				Mistakes: []Mistake{
					{`.*@.*`, "which has an @; write only the domain"},
					{`.*,.*`, "which is more than one; write one, and add another --email-domain to the file"},
				},
			},
			appPort,
		},
		Beside: []string{"the Secret oauth2-proxy", "a Service that points to port 4180"},
	},
	{
		Name:    "vault-agent",
		Summary: "writes secrets from Vault to files in memory, and renews them",
		Image:   "docker.io/hashicorp/vault:2.0.4",
		Source:  "https://github.com/hashicorp/vault",
		Checked: checked,
		Settings: []Setting{{
			Name:    "address",
			Meaning: "the URL of Vault",
			Example: "https://vault.vault:8200", Pattern: urlPattern,
		}},
		Beside: []string{"the ConfigMap vault-agent"},
	},
	{
		Name:    "kube-rbac-proxy",
		Summary: "lets only clients reach the app that Kubernetes' RBAC allows",
		Image:   "quay.io/brancz/kube-rbac-proxy:v0.22.1",
		Source:  "https://github.com/kube-rbac-proxy/kube-rbac-proxy",
		Checked: checked,

		Settings: []Setting{appPort},
		Beside:   []string{"RBAC for the proxy and its clients", "a Service that points to port 8443"},
	},
	{
		Name:    "envoy",
		Summary: "takes the app's requests, and drains connections at the end",
		Image:   "docker.io/envoyproxy/envoy:v1.39.3",
		Source:  "https://github.com/envoyproxy/envoy",
		Checked: checked,
		Settings: []Setting{{
			Name:    "port",
			Meaning: "the port on which Envoy takes requests",
			Example: "8000", Default: "10000", Pattern: portPattern,
			Mistakes: []Mistake{
				{`9901|9902`, "which Envoy uses for its admin interface or its health checks; choose another port"},
				{`[1-9][0-9]{0,2}|10(?:[01][0-9]|2[0-3])`, "which on many nodes only root may use; choose one from 1024"},
			},
		}, appPort},
		Beside: []string{"a Service that points to the port of Envoy"},
	},
}
