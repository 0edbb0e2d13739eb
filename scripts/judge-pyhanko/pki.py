"""Authorities, keys and revocation lists of a day, for files that pyHanko signs."""

from datetime import datetime, timedelta, timezone

from asn1crypto import crl as asn1_crl
from asn1crypto import keys
from asn1crypto import x509 as asn1
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519, rsa
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

NOW = datetime.now(timezone.utc).replace(microsecond=0)
DAY = timedelta(days=1)
MAKE_KEY = {
    'rsa': lambda: rsa.generate_private_key(65537, 2048),
    'p256': lambda: ec.generate_private_key(ec.SECP256R1()),
    'p384': lambda: ec.generate_private_key(ec.SECP384R1()),
    'p521': lambda: ec.generate_private_key(ec.SECP521R1()),
    'ed25519': ed25519.Ed25519PrivateKey.generate,
    'ed448': ed448.Ed448PrivateKey.generate,
}


def name(text):
    return x509.Name([x509.NameAttribute(NameOID.ORGANIZATION_NAME, 'Judges'), x509.NameAttribute(NameOID.COMMON_NAME, text)])


def usage(*allowed):
    names = [
        'digital_signature', 'content_commitment', 'key_encipherment', 'data_encipherment', 'key_agreement',
        'key_cert_sign', 'crl_sign', 'encipher_only', 'decipher_only',
    ]  # fmt: skip
    return x509.KeyUsage(**{one: one in allowed for one in names})


class Authority:
    """A root. It issues certificates and an empty revocation list."""

    def __init__(self, text):
        self.key = MAKE_KEY['rsa']()
        self.subject = name(text)
        builder = self._builder(self.subject, self.key.public_key(), 3650)
        builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        builder = builder.add_extension(usage('key_cert_sign', 'crl_sign'), critical=True)
        self.certificate = self._signed(builder)

    def _builder(self, subject, public_key, days):
        builder = x509.CertificateBuilder().subject_name(subject).issuer_name(self.subject).public_key(public_key)
        builder = builder.serial_number(x509.random_serial_number()).not_valid_before(NOW - 30 * DAY)
        builder = builder.not_valid_after(NOW + days * DAY)
        builder = builder.add_extension(x509.SubjectKeyIdentifier.from_public_key(public_key), critical=False)
        issuer = x509.AuthorityKeyIdentifier.from_issuer_public_key(self.key.public_key())
        return builder.add_extension(issuer, critical=False)

    def _signed(self, builder):
        certificate = builder.sign(self.key, hashes.SHA256())
        return asn1.Certificate.load(certificate.public_bytes(serialization.Encoding.DER))

    def issue(self, text, kind, is_time=False):
        """A certificate with its private key, as asn1crypto has them."""
        key = MAKE_KEY[kind]()
        builder = self._builder(name(text), key.public_key(), 730)
        builder = builder.add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        uses = ['digital_signature'] if is_time else ['digital_signature', 'content_commitment']
        builder = builder.add_extension(usage(*uses), critical=True)
        if is_time:
            builder = builder.add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.TIME_STAMPING]), critical=True)
        private = key.private_bytes(serialization.Encoding.DER, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        return self._signed(builder), keys.PrivateKeyInfo.load(private)

    def revocation_list(self):
        builder = x509.CertificateRevocationListBuilder().issuer_name(self.subject)
        builder = builder.last_update(NOW - DAY / 2).next_update(NOW + 30 * DAY)
        issuer = x509.AuthorityKeyIdentifier.from_issuer_public_key(self.key.public_key())
        builder = builder.add_extension(issuer, critical=False).add_extension(x509.CRLNumber(1), critical=False)
        signed = builder.sign(self.key, hashes.SHA256())
        return asn1_crl.CertificateList.load(signed.public_bytes(serialization.Encoding.DER))
