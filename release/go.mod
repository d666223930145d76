module pillion.dev/pillion/release

go 1.26.0

require (
	github.com/google/rpmpack v0.7.1
	github.com/sassoftware/go-rpmutils v0.4.0
	golang.org/x/mod v0.42.0
	pillion.dev/pillion/image v0.0.0
	sigs.k8s.io/yaml v1.6.0
)

require (
	github.com/DataDog/zstd v1.5.5 // indirect
	github.com/ProtonMail/go-crypto v1.0.0 // indirect
	github.com/cloudflare/circl v1.3.8 // indirect
	github.com/xi2/xz v0.0.0-20171230120015-48954b6210f8 // indirect
	go.yaml.in/yaml/v2 v2.4.2 // indirect
	golang.org/x/crypto v0.23.0 // indirect
	golang.org/x/sys v0.47.0 // indirect
)

require (
	github.com/anchore/go-struct-converter v0.1.0 // indirect
	github.com/cavaliergopher/cpio v1.0.1 // indirect
	github.com/klauspost/compress v1.19.2 // indirect
	github.com/klauspost/pgzip v1.2.6 // indirect
	github.com/spdx/tools-golang v0.5.7 // indirect
	github.com/ulikunitz/xz v0.5.12 // indirect
)

replace pillion.dev/pillion/image => ../image
