"""Validates any signed PDF with pyHanko at the present time. Fetches nothing.

Each line of the list on standard input is JSON: path, PEM file of trusted signers, PEM file of trusted time-stamp authorities.
Prints one JSON line per file: its kind ('passed', 'intact', 'weak', 'against', 'none') and words.
"""

import asyncio
import json
import os
import sys

from asn1crypto import pem, x509
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.ades.report import AdESIndeterminate
from pyhanko.sign.validation import async_validate_pdf_signature, async_validate_pdf_timestamp
from pyhanko.sign.validation.status import SignatureCoverageLevel
from pyhanko_certvalidator import ValidationContext

KINDS = ['passed', 'intact', 'weak', 'against']
WEAK = (AdESIndeterminate.CRYPTO_CONSTRAINTS_FAILURE, AdESIndeterminate.CRYPTO_CONSTRAINTS_FAILURE_NO_POE)


def certificates(path):
    if os.path.getsize(path) == 0:
        return []
    with open(path, 'rb') as file:
        return [x509.Certificate.load(der) for _, _, der in pem.unarmor(file.read(), multiple=True)]


def context(roots):
    return ValidationContext(trust_roots=roots, allow_fetching=False, revocation_mode='soft-fail')


def words_for(status):
    words = [status.summary()]
    if status.trust_problem_indic is not None:
        words.append(f'path: {status.trust_problem_indic.name}')
    return ' '.join(words)


def judge_status(status):
    """A signature that is neither trusted nor too weak is intact if its bytes and what follows them are."""
    is_intact = status.intact and status.valid and status.docmdp_ok and status.seed_value_ok
    if not is_intact or status.coverage.value < SignatureCoverageLevel.ENTIRE_REVISION.value:
        return 'against'
    if status.bottom_line:
        return 'passed'
    return 'weak' if status.trust_problem_indic in WEAK else 'intact'


async def judge(order):
    with open(order['path'], 'rb') as file:
        reader = PdfFileReader(file, strict=False)
        if reader.encrypted:
            reader.decrypt('')
        signatures = reader.embedded_regular_signatures
        stamps = reader.embedded_timestamp_signatures
        if not signatures:
            return 'none', f'{len(stamps)} time-stamps'
        found = []
        for signature in signatures:
            signers, times = context(certificates(order['trustPath'])), context(certificates(order['timeTrustPath']))
            status = await async_validate_pdf_signature(signature, signers, times)
            found.append((judge_status(status), words_for(status)))
        for stamp in stamps:
            status = await async_validate_pdf_timestamp(stamp, context(certificates(order['timeTrustPath'])))
            if not (status.valid and status.intact):
                found.append(('intact', f'broken time-stamp {status.summary()}'))
        worst = max((kind for kind, _ in found), key=KINDS.index)
        return worst, '; '.join(dict.fromkeys(words for _, words in found))


for line in sys.stdin:
    try:
        answer = asyncio.run(judge(json.loads(line)))
    except Exception as error:  # Whatever it says of a file is its verdict.
        answer = 'against', f'{type(error).__name__}: {error}'
    print(json.dumps(answer), flush=True)
