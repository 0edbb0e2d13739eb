"""Lawful forms of a CMS that pyHanko does not write itself. RFC 5652."""

import hashlib

from asn1crypto import algos, cms, core, parser, tsp, x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding
from pyhanko.sign.signers import SimpleSigner


def indefinite(node, depth):
    """The DER of a node with indefinite lengths (X.690 section 8.1.3.6), down to `depth` constructed nodes below it."""
    class_, method, tag, _, contents, _ = parser.parse(node)
    if method == 0 or depth == 0:
        return node
    parts = []
    while contents:
        length = parser.peek(contents)
        parts.append(indefinite(contents[:length], depth - 1))
        contents = contents[length:]
    head = bytes([class_ << 6 | 0x20 | tag])
    return head + b'\x80' + b''.join(parts) + b'\0\0'


class VariantSigner(SimpleSigner):
    """Makes the CMS as pyHanko does and then changes its form, with the signed attributes that `attributes` leaves."""

    change = staticmethod(lambda signer, content: content)
    attributes = staticmethod(lambda found: found)

    async def signed_attrs(self, *args, **kwargs):
        return cms.CMSAttributes(self.attributes(list(await super().signed_attrs(*args, **kwargs))))

    async def async_sign(self, *args, **kwargs):
        return self.change(self, await super().async_sign(*args, **kwargs))


def info_of(content):
    return content['content']['signer_infos'][0]


def by_key_identifier(signer, content):
    info = info_of(content)
    info['version'] = 'v3'
    info['sid'] = cms.SignerIdentifier('subject_key_identifier', signer.signing_cert.key_identifier_value)
    content['content']['version'] = 'v3'
    return content


def in_ber(depth):
    return lambda _, content: cms.ContentInfo.load(indefinite(content.dump(force=True), depth))


def with_oid(name):
    """Names the signature by key and digest in one identifier, as RFC 5754 has it, or by the key alone."""

    def change(_, content):
        info_of(content)['signature_algorithm'] = algos.SignedDigestAlgorithm({'algorithm': name})
        return content

    return change


def plain_ecdsa(_, content):
    """r and s side by side, BSI TR-03111 section 5.2.2: ecdsa-plain-SHA256."""
    info = info_of(content)
    pair = algos.DSASignature.load(info['signature'].native)
    info['signature'] = b''.join(pair[part].native.to_bytes(32, 'big') for part in ('r', 's'))
    info['signature_algorithm'] = algos.SignedDigestAlgorithm({'algorithm': '0.4.0.127.0.7.1.1.4.1.3'})
    return content


def without_signed_attributes(signer, content):
    """RFC 5652 section 5.4: then the signature is over the content itself; here over its digest, which stands in the attribute."""
    info = info_of(content)
    digest = next(one for one in info['signed_attrs'] if one['type'].native == 'message_digest')['values'][0].native
    key = serialization.load_der_private_key(signer.signing_key.dump(), password=None)
    algorithm = {32: hashes.SHA256(), 48: hashes.SHA384(), 64: hashes.SHA512()}[len(digest)]
    info['signature'] = key.sign(digest, padding.PKCS1v15(), hashes_prehashed(algorithm))
    del info['signed_attrs']
    return content


def hashes_prehashed(algorithm):
    from cryptography.hazmat.primitives.asymmetric.utils import Prehashed

    return Prehashed(algorithm)


def without(*types):
    return lambda found: [one for one in found if one['type'].native not in types]


def with_signing_certificate_v1(certificate):
    """RFC 2634 section 5.4: names the certificate by SHA-1."""

    def attributes(found):
        identifier = tsp.ESSCertID({'cert_hash': hashlib.sha1(certificate.dump()).digest()})
        value = tsp.SigningCertificate({'certs': [identifier]})
        one = cms.CMSAttribute({'type': cms.CMSAttributeType('signing_certificate'), 'values': (value,)})
        return [*without('signing_certificate_v2')(found), one]

    return attributes
