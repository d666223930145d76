# `make image`, `make image-audit` and `make image-argocd` build the binaries first, and give the directory with what goes into the
# image as the context, with a directory for each platform (dist/pillion/linux-ARCH), so nothing is pulled and nothing is compiled
# here. The release builds the same files for all platforms by one `docker buildx build`.
FROM scratch AS files
ARG TARGETARCH

# The binary, and an /etc/passwd with nobody: kustomize and kpt run functions as `--user nobody`, by name. The image for Argo CD has
# more files. One step, and the first one, since the classic builder takes the platform of the image, and finds it in its cache, by it.
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

# For argocd-repo-server: an init container that installs pillion-argocd, or a sidecar that is a plugin, with Helm and plugin.yaml.
FROM files AS pillion-argocd
LABEL org.opencontainers.image.title="pillion-argocd" \
      org.opencontainers.image.description="Pillion in the repo server of Argo CD"
ENV PATH=/usr/local/bin HOME=/tmp PILLION_CONFIG=/etc/pillion
# The user ID of Argo CD, because the repo server and its plugins share the directory with the sockets.
USER 999
# For the plugin: Argo CD's plugin server, which the repo server's init container copies into a volume that both share.
ENTRYPOINT ["/var/run/argocd/argocd-cmp-server"]

FROM files AS pillion
LABEL org.opencontainers.image.title="pillion" \
      org.opencontainers.image.description="A KRM function that puts sidecars into pods before the manifests reach the cluster"
ENTRYPOINT ["/pillion"]
