# `make image` builds the binary first and gives its directory as the context (dist/linux-ARCH), so nothing is pulled and
# nothing is compiled here.
FROM scratch

# kustomize and kpt run functions as `--user nobody`: by name, which the engine looks up in this file. The files come
# first: the classic builder takes the platform of the image from them, and only from the first step.
COPY passwd /etc/passwd
COPY pillion /pillion

ARG VERSION=v0.1.0-dev
LABEL org.opencontainers.image.title="pillion" \
      org.opencontainers.image.description="A KRM function that puts sidecars into pods before the manifests reach the cluster" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.source="https://pillion.dev/pillion" \
      org.opencontainers.image.version="${VERSION}"

USER nobody
ENTRYPOINT ["/pillion"]
