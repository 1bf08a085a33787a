package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
)

type authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
}

// certificates FOLDER NODE-ADDRESS SERVICE-ADDRESS: all that a cluster on one machine needs, each as NAME.crt and NAME.key.
func certificatesCommand() *cobra.Command {
	return &cobra.Command{
		Use:          "certificates",
		Args:         cobra.ExactArgs(3),
		SilenceUsage: true,
		RunE:         func(_ *cobra.Command, args []string) error { return writeAll(args[0], args[1], args[2]) },
	}
}

func writeAll(folder, node, service string) error {
	ca, err := write(folder, "ca", nil, &x509.Certificate{Subject: pkix.Name{CommonName: "gantry-rig"}})
	if err != nil {
		return err
	}
	// Whoever has one of these may speak for others: nobody else's may be taken for it.
	proxies, err := write(folder, "front-proxy-ca", nil, &x509.Certificate{Subject: pkix.Name{CommonName: "gantry-rig-proxies"}})
	if err != nil {
		return err
	}
	server := &x509.Certificate{
		Subject:     pkix.Name{CommonName: "kube-apiserver"},
		DNSNames:    []string{"localhost", "kubernetes", "kubernetes.default", "kubernetes.default.svc", "kubernetes.default.svc.cluster.local"},
		IPAddresses: []net.IP{net.ParseIP("127.0.0.1"), net.ParseIP(node), net.ParseIP(service)},
	}
	kubelet := &x509.Certificate{Subject: pkix.Name{CommonName: "kubelet"}, IPAddresses: []net.IP{net.ParseIP(node)}}
	masters := []string{"system:masters"}
	for _, one := range []struct {
		name     string
		by       *authority
		template *x509.Certificate
	}{
		{"apiserver", ca, server},
		{"kubelet", ca, kubelet},
		{"admin", ca, &x509.Certificate{Subject: pkix.Name{CommonName: "admin", Organization: masters}}},
		{"apiserver-kubelet-client", ca, &x509.Certificate{Subject: pkix.Name{CommonName: "kube-apiserver", Organization: masters}}},
		{"front-proxy-client", proxies, &x509.Certificate{Subject: pkix.Name{CommonName: "front-proxy-client"}}},
	} {
		if _, err := write(folder, one.name, one.by, one.template); err != nil {
			return err
		}
	}
	return nil
}

// Signed by itself, and able to sign others, if nobody is there to sign it.
func write(folder, name string, by *authority, template *x509.Certificate) (*authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	if template.SerialNumber, err = rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120)); err != nil {
		return nil, err
	}
	template.NotBefore = time.Now().Add(-time.Hour)
	template.NotAfter = time.Now().AddDate(1, 0, 0)
	template.BasicConstraintsValid = true
	template.KeyUsage = x509.KeyUsageDigitalSignature
	signer := by
	if signer == nil {
		template.IsCA = true
		template.KeyUsage |= x509.KeyUsageCertSign
		signer = &authority{template, key}
	} else {
		template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}
	}
	made, err := x509.CreateCertificate(rand.Reader, template, signer.certificate, &key.PublicKey, signer.key)
	if err != nil {
		return nil, err
	}
	secret, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return nil, err
	}
	for ending, block := range map[string]*pem.Block{
		".crt": {Type: "CERTIFICATE", Bytes: made},
		".key": {Type: "EC PRIVATE KEY", Bytes: secret},
	} {
		if err := os.WriteFile(filepath.Join(folder, name+ending), pem.EncodeToMemory(block), 0o600); err != nil {
			return nil, err
		}
	}
	return &authority{template, key}, nil
}
