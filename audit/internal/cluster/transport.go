package cluster

import (
	"context"
	"net/http"
)

// Transport reports errors of the network. A client tries some requests again and again for minutes before it returns
// an error.
func Transport(next http.RoundTripper) http.RoundTripper { return transport{next} }

type transport struct{ next http.RoundTripper }

// reporter is the key of the function in a context that errors are reported to.
type reporter struct{}

func reporting(ctx context.Context, report func(error)) context.Context {
	return context.WithValue(ctx, reporter{}, report)
}

// RoundTrip sends a request.
func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := t.next.RoundTrip(r)
	if report, isSet := r.Context().Value(reporter{}).(func(error)); isSet && err != nil && r.Context().Err() == nil {
		report(err)
	}
	return response, err
}
