"""Signs documents with pyHanko in many lawful ways, with authorities of its own. The argument names the folder; prints one line per file that could not be made."""

import asyncio
import io
import sys
from pathlib import Path

from asn1crypto import algos
from cms_variants import (
    VariantSigner,
    by_key_identifier,
    in_ber,
    plain_ecdsa,
    with_oid,
    with_signing_certificate_v1,
    without,
    without_signed_attributes,
)
from pki import Authority
from pyhanko.pdf_utils import generic, writer
from pyhanko.pdf_utils.content import RawContent
from pyhanko.pdf_utils.generic import pdf_name, pdf_string
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign import fields, signers
from pyhanko.sign.ades.api import CAdESSignedAttrSpec, GenericCommitment
from pyhanko.sign.fields import FieldMDPAction, FieldMDPSpec, MDPPerm, SigFieldSpec, SigSeedSubFilter
from pyhanko.sign.signers import PdfSignatureMetadata, PdfSigner, PdfTimeStamper, SimpleSigner
from pyhanko.sign.timestamps import DummyTimeStamper
from pyhanko.sign.validation import DocumentSecurityStore
from pyhanko.sign.validation.dss import async_add_validation_info
from pyhanko.stamp import TextStampStyle
from pyhanko_certvalidator import ValidationContext
from pyhanko_certvalidator.registry import SimpleCertificateStore

PADES = SigSeedSubFilter.PADES
ADOBE = SigSeedSubFilter.ADOBE_PKCS7_DETACHED


class World:
    """One authority for signers, one for time-stamps, and a certificate for each kind of key."""

    def __init__(self):
        self.root, self.time_root = Authority('Signers'), Authority('Time')
        kinds = ['rsa', 'p256', 'p384', 'p521', 'ed25519', 'ed448']
        self.issued = {kind: self.root.issue(f'Signer {kind}', kind) for kind in kinds}
        self.time_certificate, time_key = self.time_root.issue('Time-stamps', 'rsa', is_time=True)
        store = self._store(self.time_root.certificate)
        self.stamper = DummyTimeStamper(self.time_certificate, time_key, certs_to_embed=store)

    @staticmethod
    def _store(*certificates):
        store = SimpleCertificateStore()
        store.register_multiple(certificates)
        return store

    def signer(self, kind='rsa', cls=SimpleSigner, **options):
        certificate, key = self.issued[kind]
        return cls(certificate, key, self._store(self.root.certificate), **options)

    def variant(self, kind='rsa', change=None, attributes=None, **options):
        signer = self.signer(kind, VariantSigner, **options)
        signer.change, signer.attributes = change or signer.change, attributes or signer.attributes
        return signer

    def context(self):
        lists = [self.root.revocation_list(), self.time_root.revocation_list()]
        roots = [self.root.certificate, self.time_root.certificate]
        return ValidationContext(trust_roots=roots, crls=lists, allow_fetching=False, revocation_mode='hard-fail')


def document(stream_xrefs=False, pages=2, with_form=False, password=None):
    """Text on each page; with a form, one text field on the first."""
    out = writer.PdfFileWriter(stream_xrefs=stream_xrefs)
    font = out.add_object(
        generic.DictionaryObject(
            {pdf_name('/Type'): pdf_name('/Font'), pdf_name('/Subtype'): pdf_name('/Type1'), pdf_name('/BaseFont'): pdf_name('/Helvetica')}
        )
    )
    for number in range(pages):
        content = generic.StreamObject(stream_data=b'BT /F1 18 Tf 50 700 Td (Page %d of an agreement) Tj ET' % (number + 1))
        resources = generic.DictionaryObject({pdf_name('/Font'): generic.DictionaryObject({pdf_name('/F1'): font})})
        page = writer.PageObject(contents=out.add_object(content), media_box=(0, 0, 595, 842), resources=resources)
        page_ref = out.insert_page(page)
        if with_form and number == 0:
            add_text_field(out, page_ref, font)
    if password is not None:
        out.encrypt(owner_pass='owner', user_pass=password)
    data = io.BytesIO()
    out.write(data)
    return data.getvalue()


def add_text_field(out, page_ref, font):
    field = generic.DictionaryObject(
        {
            pdf_name('/Type'): pdf_name('/Annot'), pdf_name('/Subtype'): pdf_name('/Widget'), pdf_name('/FT'): pdf_name('/Tx'),
            pdf_name('/T'): pdf_string('Name'), pdf_name('/V'): pdf_string(''), pdf_name('/DA'): pdf_string('/F1 12 Tf 0 g'),
            pdf_name('/Rect'): generic.ArrayObject(map(generic.NumberObject, (50, 600, 250, 620))), pdf_name('/P'): page_ref,
        }
    )  # fmt: skip
    field_ref = out.add_object(field)
    page_ref.get_object()[pdf_name('/Annots')] = generic.ArrayObject([field_ref])
    fonts = generic.DictionaryObject({pdf_name('/Font'): generic.DictionaryObject({pdf_name('/F1'): font})})
    form = {pdf_name('/Fields'): generic.ArrayObject([field_ref]), pdf_name('/DR'): fonts, pdf_name('/DA'): pdf_string('/F1 12 Tf 0 g')}
    out.root[pdf_name('/AcroForm')] = out.add_object(generic.DictionaryObject(form))


def fill(data, text):
    """Fills the text field, with an appearance, in an incremental update."""
    out = IncrementalPdfFileWriter(io.BytesIO(data))
    field = out.root['/AcroForm']['/Fields'][0]
    field[pdf_name('/V')] = pdf_string(text)
    shown = RawContent(b'BT /F1 12 Tf 2 5 Td (%s) Tj ET' % text.encode('latin-1'))
    appearance = generic.StreamObject(
        {
            pdf_name('/Type'): pdf_name('/XObject'), pdf_name('/Subtype'): pdf_name('/Form'),
            pdf_name('/BBox'): generic.ArrayObject(map(generic.NumberObject, (0, 0, 200, 20))),
            pdf_name('/Resources'): out.root['/AcroForm'].raw_get('/DR'),
        },
        stream_data=shown.render(),
    )  # fmt: skip
    field[pdf_name('/AP')] = generic.DictionaryObject({pdf_name('/N'): out.add_object(appearance)})
    out.update_container(field)
    return written(out)


def written(out):
    data = io.BytesIO()
    out.write(data)
    return data.getvalue()


def opened(data):
    out = IncrementalPdfFileWriter(io.BytesIO(data))
    if out.prev.encrypted:
        out.encrypt('')
    return out


async def sign(data, signer, field='Signature1', box=None, spec=None, stamper=None, style=None, **meta):
    """One more signature in an incremental update; PAdES unless `subfilter` says otherwise."""
    meta = {'subfilter': PADES, 'md_algorithm': 'sha256', **meta}
    new_field = spec or SigFieldSpec(field, box=box)
    pdf_signer = PdfSigner(
        PdfSignatureMetadata(field_name=field, **meta), signer, timestamper=stamper, stamp_style=style, new_field_spec=new_field
    )
    return (await pdf_signer.async_sign_pdf(opened(data))).getvalue()


def keys(world):
    """Each kind of key and digest, at level B-B."""
    for kind, digest in [('rsa', 'sha256'), ('rsa', 'sha512'), ('p256', 'sha256'), ('p384', 'sha384'), ('p521', 'sha512')]:
        yield f'key-{kind}-{digest}', sign(document(), world.signer(kind), md_algorithm=digest)
    yield 'key-ed25519', sign(document(), world.signer('ed25519'), md_algorithm='sha512')
    yield 'key-ed448', sign(document(), world.signer('ed448'), md_algorithm='shake256')
    yield 'key-rsa-pss', sign(document(), world.signer(prefer_pss=True))
    yield 'key-rsa-sha3', sign(document(), world.signer(), md_algorithm='sha3_256')


def forms_of_cms(world):
    rsa = world.issued['rsa'][0]
    variants = {
        'cms-ber-outer': world.variant(change=in_ber(2)),
        'cms-ber-deep': world.variant(change=in_ber(4)),
        'cms-key-identifier': world.variant(change=by_key_identifier),
        'cms-rsa-encryption': world.variant(change=with_oid('rsassa_pkcs1v15')),
        'cms-sha256-rsa': world.variant(change=with_oid('sha256_rsa')),
        'cms-signing-certificate-v1': world.variant(attributes=with_signing_certificate_v1(rsa)),
        'cms-plain-ecdsa': world.variant('p256', change=plain_ecdsa),
        'cms-without-root': world.signer(embed_roots=False),
    }
    for name, signer in variants.items():
        yield name, sign(document(), signer)
    yield 'cms-adobe', sign(document(), world.signer(), subfilter=ADOBE)
    bare = world.variant(attributes=without('signing_certificate_v2', 'signing_certificate'))
    yield 'cms-adobe-without-signing-certificate', sign(document(), bare, subfilter=ADOBE)
    plain = world.variant(change=without_signed_attributes)
    yield 'cms-adobe-without-attributes', sign(document(), plain, subfilter=ADOBE)
    yield 'cms-adobe-ber', sign(document(), world.variant(change=in_ber(3)), subfilter=ADOBE)
    spec = CAdESSignedAttrSpec(commitment_type=GenericCommitment.PROOF_OF_APPROVAL.asn1)
    yield 'cms-commitment', sign(document(), world.signer(), cades_signed_attr_spec=spec)
    content_stamp = CAdESSignedAttrSpec(timestamp_content=True)
    yield 'cms-content-time-stamp', sign(document(), world.signer(), stamper=world.stamper, cades_signed_attr_spec=content_stamp)


def levels(world):
    long_term = {'stamper': world.stamper, 'embed_validation_info': True}
    yield 'level-b-t', sign(document(), world.signer(), stamper=world.stamper)
    yield 'level-b-t-adobe', sign(document(), world.signer(), stamper=world.stamper, subfilter=ADOBE)
    yield 'level-b-lt', sign(document(), world.signer(), **long_term, validation_context=world.context())
    lta = {**long_term, 'use_pades_lta': True}
    yield 'level-b-lta', sign(document(), world.signer(), **lta, validation_context=world.context())
    yield 'level-b-lta-xref-stream', sign(document(True), world.signer('p256'), **lta, validation_context=world.context())
    yield 'level-b-lta-renewed', renewed(world, lta)
    yield 'level-b-t-time-stamped', stamped(world)
    yield 'level-b-b-with-store', with_store(world)


async def renewed(world, lta):
    data = await sign(document(), world.signer(), **lta, validation_context=world.context())
    reader = PdfFileReader(io.BytesIO(data))
    stamper = PdfTimeStamper(world.stamper)
    return (await stamper.async_update_archival_timestamp_chain(reader, world.context(), in_place=False)).getvalue()


async def stamped(world):
    data = await sign(document(), world.signer(), stamper=world.stamper)
    return (await PdfTimeStamper(world.stamper).async_timestamp_pdf(opened(data), 'sha256')).getvalue()


async def with_store(world):
    """The security store alone in an update behind a signature."""
    data = await sign(document(), world.signer())
    signature = PdfFileReader(io.BytesIO(data)).embedded_signatures[0]
    out = await async_add_validation_info(signature, world.context(), in_place=False)
    return out.getvalue()


def documents(world):
    signer = world.signer('p256')
    style = TextStampStyle(stamp_text='Signed by: %(signer)s\nTime: %(ts)s')
    yield 'file-xref-stream', sign(document(True), signer)
    yield 'file-visible', sign(document(), signer, box=(50, 50, 250, 120), style=style)
    yield 'file-visible-xref-stream', sign(document(True), signer, box=(50, 50, 250, 120), style=style)
    yield 'file-reason', sign(document(), signer, reason='Ich stimme zu – 株式会社', location='Genève', name='Ωμέγα', contact_info='a@b.example')
    for permission in MDPPerm:
        yield f'file-certified-p{permission.value}', sign(document(), signer, certify=True, docmdp_permissions=permission)
    yield 'file-form', sign(document(with_form=True), signer)
    yield 'file-filled-then-signed', sign(fill(document(with_form=True), 'Ada Lovelace'), signer)
    yield 'file-encrypted-aes256', sign(document(password=''), signer)
    spec = SigFieldSpec('Signature1', box=(50, 50, 250, 120), field_mdp_spec=FieldMDPSpec(FieldMDPAction.ALL))
    yield 'file-field-lock', sign(document(with_form=True), signer, spec=spec)
    yield 'file-update-before', updated_before(signer)


async def updated_before(signer):
    out = opened(document())
    out.root[pdf_name('/Lang')] = pdf_string('en')
    out.update_root()
    return await sign(written(out), signer)


def several(world):
    one, two = world.signer('rsa'), world.signer('p256')
    yield 'several-two', again(sign(document(), one), two)
    yield 'several-two-visible', again(sign(document(), one, box=(50, 50, 250, 120)), two, box=(300, 50, 500, 120))
    yield 'several-two-xref-stream', again(sign(document(True), one, box=(50, 50, 250, 120)), two, box=(300, 50, 500, 120))
    yield 'several-certified-p2-approved', again(sign(document(), one, certify=True, docmdp_permissions=MDPPerm.FILL_FORMS), two)
    yield 'several-three-stamped', again(again(sign(document(), one, stamper=world.stamper), two, stamper=world.stamper), one, 'Signature3')
    yield 'several-prepared-fields', prepared(one, two)
    yield 'several-field-added-later', field_added(one, two)
    yield 'several-filled-after', filled_after(one)
    yield 'several-filled-between', filled_between(one, two)
    yield 'several-approved-long-term', approved_long_term(world)
    yield 'several-encrypted', again(sign(document(password=''), one), two)


async def again(first, signer, field='Signature2', **options):
    return await sign(await first, signer, field, **options)


async def prepared(one, two):
    """Both fields are there before the first signature."""
    out = opened(document())
    for number, x in ((1, 50), (2, 300)):
        fields.append_signature_field(out, SigFieldSpec(f'Signature{number}', box=(x, 50, x + 200, 120)))
    data = written(out)
    for number, signer in ((1, one), (2, two)):
        meta = PdfSignatureMetadata(field_name=f'Signature{number}', subfilter=PADES, md_algorithm='sha256')
        data = (await PdfSigner(meta, signer).async_sign_pdf(opened(data))).getvalue()
    return data


async def field_added(one, two):
    """An empty field in an update of its own, and then its signature."""
    out = opened(await sign(document(), one))
    fields.append_signature_field(out, SigFieldSpec('Signature2', box=(300, 50, 500, 120)))
    meta = PdfSignatureMetadata(field_name='Signature2', subfilter=PADES, md_algorithm='sha256')
    return (await PdfSigner(meta, two).async_sign_pdf(opened(written(out)))).getvalue()


async def filled_after(one):
    certified = await sign(document(with_form=True), one, certify=True, docmdp_permissions=MDPPerm.FILL_FORMS)
    return fill(certified, 'Ada Lovelace')


async def filled_between(one, two):
    certified = await sign(document(with_form=True), one, certify=True, docmdp_permissions=MDPPerm.FILL_FORMS)
    return await sign(fill(certified, 'Ada Lovelace'), two, 'Signature2')


async def approved_long_term(world):
    lta = {'stamper': world.stamper, 'embed_validation_info': True, 'use_pades_lta': True}
    data = await sign(document(), world.signer(), **lta, validation_context=world.context())
    return await sign(data, world.signer('p256'), 'Signature2', **lta, validation_context=world.context())


async def main(folder):
    world = World()
    folder.mkdir(parents=True, exist_ok=True)
    for group in (keys, forms_of_cms, levels, documents, several):
        for name, made in group(world):
            try:
                (folder / f'{name}.pdf').write_bytes(await made)
            except Exception as error:  # What it cannot make is told, and the others are made.
                print(f'{name}: {type(error).__name__}: {error}', flush=True)


asyncio.run(main(Path(sys.argv[1])))
