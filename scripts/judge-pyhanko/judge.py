"""Judges sealed files with pyHanko: one JSON line for each line of the list on standard input. Fetches nothing.

An argument is a later time of judging, as milliseconds since 1970: then the seal is judged as EN 319 102-1 section 5.6 has it for long-term material,
as if its time-stamps had been renewed until that day.
"""

import asyncio
import json
import sys
from datetime import datetime, timezone

from asn1crypto import crl, pem, x509
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.diff_analysis import ModificationLevel
from pyhanko.sign.validation import async_validate_pdf_signature, async_validate_pdf_timestamp
from pyhanko.sign.validation.ades import simulate_future_ades_lta_validation
from pyhanko.sign.validation.dss import DocumentSecurityStore
from pyhanko.sign.validation.policy_decl import (
    PdfSignatureValidationSpec,
    RevinfoOnlineFetchingRule,
    RevocationInfoGatheringSpec,
    SignatureValidationSpec,
)
from pyhanko.sign.validation.status import SignatureCoverageLevel
from pyhanko_certvalidator import ValidationContext
from pyhanko_certvalidator.context import CertValidationPolicySpec
from pyhanko_certvalidator.policy_decl import REQUIRE_REVINFO, CertRevTrustPolicy
from pyhanko_certvalidator.registry import SimpleTrustManager


def certificate(path):
    with open(path, 'rb') as file:
        return x509.Certificate.load(pem.unarmor(file.read())[2])


def revocation_list(path):
    with open(path, 'rb') as file:
        return crl.CertificateList.load(file.read())


def context(reader, order):
    """Nothing but what is in the file from B-LT on; below it the lists that the authorities hand out, where revocation has been looked up by hand."""
    roots = [certificate(order['ownRootPath']), certificate(order['timeRootPath'])]
    options = {'trust_roots': roots, 'allow_fetching': False}
    if order['level'] in ('B-LT', 'B-LTA'):
        options |= {'revocation_mode': 'hard-fail'}
        return DocumentSecurityStore.read_dss(reader).as_validation_context(options)
    lists = [revocation_list(order['ownListPath']), revocation_list(order['timeListPath'])]
    return ValidationContext(**options, revocation_mode='soft-fail', crls=lists)


async def judge(order):
    against = []
    with open(order['path'], 'rb') as file:
        reader = PdfFileReader(file, strict=True)
        signatures = reader.embedded_regular_signatures
        stamps = reader.embedded_timestamp_signatures
        if len(signatures) != 1 or len(stamps) != order['documentTimestamps']:
            against.append(f'{len(signatures)} signatures, {len(stamps)} document time-stamps')
        for signature in signatures:
            status = await async_validate_pdf_signature(signature, context(reader, order), context(reader, order))
            if not status.bottom_line:
                against.append(f'bottom_line false: {status.pretty_print_details()}')
            if (status.timestamp_validity is None) != (order['level'] == 'B-B'):
                against.append('signature time-stamp')
            is_last = order['level'] in ('B-B', 'B-T')
            coverage = SignatureCoverageLevel.ENTIRE_FILE if is_last else SignatureCoverageLevel.ENTIRE_REVISION
            if status.coverage != coverage:
                against.append(f'coverage {status.coverage}')
            if not is_last and status.modification_level != ModificationLevel.LTA_UPDATES:
                against.append(f'modifications {status.modification_level}')
        for number, stamp in enumerate(stamps, 1):
            status = await async_validate_pdf_timestamp(stamp, context(reader, order))
            if not (status.valid and status.intact and status.trusted):
                against.append(f'document time-stamp: {status.summary()}')
            is_last = number == len(stamps)
            if status.coverage != (SignatureCoverageLevel.ENTIRE_FILE if is_last else SignatureCoverageLevel.ENTIRE_REVISION):
                against.append(f'document time-stamp covers {status.coverage}')
    return against


async def judge_later(order, time):
    roots = [certificate(order['ownRootPath']), certificate(order['timeRootPath'])]
    trust = CertValidationPolicySpec(SimpleTrustManager.build(roots), CertRevTrustPolicy(REQUIRE_REVINFO))
    material = RevocationInfoGatheringSpec(online_fetching_rule=RevinfoOnlineFetchingRule.LOCAL_ONLY)
    spec = PdfSignatureValidationSpec(SignatureValidationSpec(trust, material))
    with open(order['path'], 'rb') as file:
        [signature] = PdfFileReader(file, strict=True).embedded_regular_signatures
        result = await simulate_future_ades_lta_validation(signature, spec, time)
        return [] if result.ades_subindic.name == 'OK' else [f'{result.ades_subindic}: {result.failure_msg}']


later = datetime.fromtimestamp(int(sys.argv[1]) / 1000, timezone.utc) if len(sys.argv) > 1 else None
for line in sys.stdin:
    try:
        order = json.loads(line)
        answer = asyncio.run(judge(order) if later is None else judge_later(order, later))
    except Exception as error:  # Whatever it says of a file is its verdict.
        answer = [f'{type(error).__name__}: {error}']
    print(json.dumps(answer), flush=True)
