# `make image` and `make image-audit` build the binary first, and give the directory with what goes into the image as the context,
# with a directory for each platform (dist/pillion/linux-ARCH), so nothing is pulled and nothing is compiled here. The release
# builds the same files for all platforms by one `docker buildx build`.
FROM scratch AS files
ARG TARGETARCH

# The binary, and an /etc/passwd with nobody: kustomize and kpt run functions as `--user nobody`, by name. One step, and the first
# one, since the classic builder takes the platform of the image, and finds it in its cache, by it.
COPY linux-${TARGETARCH} /

# Artifact Hub reads the labels below, and two that only a release has: when it was made, and the address of its page.
ARG VERSION=v0.1.0-dev
LABEL org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.source="https://pillion.dev/pillion" \
      org.opencontainers.image.version="${VERSION}" \
      io.artifacthub.package.category="integration-delivery" \
      io.artifacthub.package.keywords="sidecar,kustomize,kpt,gitops,injection" \
      io.artifacthub.package.license="Apache-2.0" \
      io.artifacthub.package.maintainers='[{"name":"The Pillion authors","email":"maintainers@pillion.dev"}]'

# A number, because the kubelet cannot check runAsNonRoot for a name.
USER 65534:65534

FROM files AS pillion-audit
LABEL org.opencontainers.image.title="pillion-audit" \
      org.opencontainers.image.description="Watches a cluster for pods that lack a declared sidecar, or run an old one"
ENTRYPOINT ["/pillion-audit"]

FROM files AS pillion
LABEL org.opencontainers.image.title="pillion" \
      org.opencontainers.image.description="A KRM function that puts sidecars into pods before the manifests reach the cluster"
ENTRYPOINT ["/pillion"]
