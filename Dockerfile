# `make image` builds the binary first and gives what goes into the image as the context (dist/linux-ARCH), so nothing is
# pulled and nothing is compiled here. `make image-all` writes the same image for all platforms without Docker; what is said
# of it here is said there in image/oci.
FROM scratch

# The binary, its SBOM, and an /etc/passwd with nobody: kustomize and kpt run functions as `--user nobody`, by name. One
# step, and the first one, since the classic builder takes the platform of the image, and finds it in its cache, by it.
COPY . /

ARG VERSION=v0.1.0-dev
LABEL org.opencontainers.image.title="pillion" \
      org.opencontainers.image.description="A KRM function that puts sidecars into pods before the manifests reach the cluster" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.source="https://pillion.dev/pillion" \
      org.opencontainers.image.version="${VERSION}"

# Nobody, by number: a kubelet that has to see to runAsNonRoot does not know names.
USER 65534:65534
ENTRYPOINT ["/pillion"]
