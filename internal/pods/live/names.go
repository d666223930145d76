package live

import (
	"strconv"
	"strings"
	"time"
)

// withoutHash returns the name of the Deployment of a ReplicaSet.
func withoutHash(name, hash string) (string, bool) {
	before, found := strings.CutSuffix(name, "-"+hash)
	return before, found && before != "" && hash != ""
}

// withoutTime returns the name of the CronJob of a Job: the name of the Job ends with the minutes of its time since
// 1970. A Job that people named backup-20261116 does not belong to a CronJob, so the time must be about that of the
// pod.
func withoutTime(name, created string) (string, bool) {
	const near = 7 * 24 * time.Hour // a suspended CronJob may be late
	dash := strings.LastIndexByte(name, '-')
	if dash <= 0 {
		return "", false
	}
	minutes, err := strconv.ParseInt(name[dash+1:], 10, 32)
	if err != nil {
		return "", false
	}
	at, err := time.Parse(time.RFC3339, created)
	if err != nil || at.Sub(time.Unix(60*minutes, 0)).Abs() > near {
		return "", false
	}
	return name[:dash], true
}
