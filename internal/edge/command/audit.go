package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/audit"
	"pillion.dev/pillion/internal/config/rollout"
	"pillion.dev/pillion/internal/core/engine"
	"pillion.dev/pillion/internal/output/auditreport"
	"pillion.dev/pillion/internal/output/report"
	"pillion.dev/pillion/internal/text/manifest"
	"pillion.dev/pillion/internal/text/manual"
	"pillion.dev/pillion/internal/text/spelling"
)

func newAudit() *cobra.Command {
	in := &input{audits: true}
	format := choice{value: "table", from: auditreport.Formats.Names()}
	cmd := &cobra.Command{
		Use:   "audit [-c CONFIG] [-f FILE|DIR|-]... [FILE|DIR|-]...",
		Short: "Show which pods of a cluster lack their sidecar, or run an old one",
		Long: `Audit compares live pods with what the config declares for them, and prints the state of each
pod under each injector: missing, stale, unexpected, refused, current or skipped. It only
reads, and needs no rights of its own: kubectl reads the cluster with yours, and chooses the
pods, such as by -n and -l.

Pods are read from the files and directories of -f, or arguments, which mean the same, and
from standard input with -f -: JSON or YAML, as kubectl prints them with -o json or -o yaml.
With Namespaces in the input, conditions on their labels are decided; with ReplicaSets, Jobs
and workloads, the report explains why pods are not current. See
` + manual.Audit + `.

The exit codes are those of diff: 0 if all pods are current or skipped, 1 if some are not,
and 2 or more if there is an error, such as input without pods.`,
		Example: `  # Audit all pods of a cluster.
  kubectl get pods -A -o json | pillion audit -c injectors.yaml -f -

  # The same, with explanations.
  kubectl get deploy,rs,sts,ds,job,cronjob,ns,pods -A -o json | pillion audit -c injectors.yaml -f -

  # Write a page to send.
  kubectl get pods -A -o json | pillion audit -c injectors.yaml -f - -o html > audit.html`,
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		config, err := in.readAudited(cmd.Context(), cmd, args)
		if err != nil {
			return err
		}
		return in.audit(cmd.Context(), cmd, config, format.value)
	}
	in.addAuditFlags(cmd)
	cmd.Flags().StringVar(&in.projectPath, "project", "", "project `FILE` with configs and rollouts")
	format.addFlag(cmd, "output", "o", "output `FORMAT`", "")
	return cmd
}

// addAuditFlags adds those of the flags of the verbs that an audit has, too.
func (in *input) addAuditFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	in.addPathFlags(flags, "objects of a cluster")
	flags.BoolVarP(&in.quiet, "quiet", "q", false, "print errors only, besides the report")
	flags.BoolVarP(&in.verbose, "verbose", "v", false, "print every file that is passed over")
}

// audited is a config and the objects of a cluster.
type audited struct {
	config engine.Config
	items  []*manifest.Item
}

// readAudited reads the config, and then the objects.
func (in *input) readAudited(ctx context.Context, cmd *cobra.Command, args []string) (audited, error) {
	if slices.Contains(in.configs, "-") && slices.Contains(slices.Concat(in.paths, args), "-") {
		return audited{}, errors.New("standard input (-) is named for both the config and the pods; " +
			"it can be only one of them")
	}
	if err := in.openProject(ctx, cmd, args); err != nil {
		return audited{}, err
	}
	configs, err := in.readConfigs(ctx, cmd)
	if err != nil {
		return audited{}, err
	}
	config, findings := engine.ReadConfig(newSources(configs)...)
	findings = append(findings, in.project.unknownInjectors(config.Names())...)
	maps.DeleteFunc(in.project.rollouts, func(_ string, r *rollout.Rollout) bool { return r.ChoosesByPath() })
	config = in.rollingOut(config)
	if err := in.writeFindings(cmd.ErrOrStderr(), findings); err != nil {
		return audited{}, err
	}
	if len(config.Auditing().Names()) == 0 {
		return audited{}, errors.New("all injectors of the config have the action Remove, " +
			"so there is nothing to audit; " +
			"name another config with -c")
	}
	items, err := in.readLive(ctx, cmd, args, configs)
	return audited{config, items}, err
}

// audit audits the pods, and writes the report. It returns errDiffers if a pod of the report is not as declared.
func (in *input) audit(ctx context.Context, cmd *cobra.Command, of audited, format string) error {
	found, err := audit.Run(ctx, of.config, of.items)
	if err != nil {
		return err
	}
	found.Findings = append(troubles(found.Findings, found.Rows), selectedByNone(found.Rows)...)
	page := auditreport.Page{
		Title:     in.title(cmd),
		Injectors: of.config.Auditing().Names(),
		Audit:     found,
	}
	if err := writeReport(cmd.OutOrStdout(), auditreport.Formats, format, page); err != nil {
		return err
	}
	return in.finishAudit(cmd.ErrOrStderr(), of.items, page, format)
}

// finishAudit writes what a reader of the report has to know, and the counts if the report is not for a terminal. It
// returns errFailed if the report is not complete, and errDiffers if a pod in it is not as declared.
func (in *input) finishAudit(w io.Writer, items []*manifest.Item, page auditreport.Page, format string) error {
	if manifests, pods := countManifests(items); manifests > 0 && !in.quiet {
		fmt.Fprintf(w, "warning: %d of %s without metadata.uid: manifests, and not pods of a cluster; "+
			"check those with pillion verify\n",
			manifests, spelling.Plural(pods, "pod"))
	}
	counts, isAsDeclared := auditreport.CountsOf(page.Audit.Rows), true
	for state := range counts {
		isAsDeclared = isAsDeclared && state.IsAsDeclared()
	}
	err := in.writeFindings(w, page.Audit.Findings)
	if format != "table" && !in.quiet {
		fmt.Fprintln(w, counts)
	}
	if err == nil && !isAsDeclared {
		err = errDiffers
	}
	return err
}

// writeFindings writes findings, and returns errFailed if there is an error among them.
func (m *messages) writeFindings(w io.Writer, findings []finding.Finding) error {
	level := finding.Warning
	if m.quiet {
		level = finding.Error
	}
	err := report.Text(w, findings, level, finding.Finding.String)
	if err == nil && finding.HasError(findings) {
		err = errFailed
	}
	return err
}
