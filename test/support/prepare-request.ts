/**
 * Sample prepare requests, with coloured boxes in place of the drawn fields, so that a picture can
 * be searched for them.
 */
import { PDFDocument, PDFNumber, PDFOperator, PDFOperatorNames } from 'pdf-lib'
import type { FieldAppearance } from '../../src/appearance/field-appearance.ts'
import { place } from '../../src/core/field/geometry.ts'
import type { Evidence } from '../../src/evidence/model.ts'
import type { Composers, PrepareRequest } from '../../src/evidence/prepare.ts'
import type { Machine } from '../../src/lib/machine.ts'
import { THIS_MACHINE } from '../../src/lib/this-machine.ts'

export const EVIDENCE: Evidence = {
  organisation: 'Contoso Verträge GmbH',
  contact: undefined,
  environment: 'test',
  isTest: true,
  instanceId: 'instance-1',
  software: 'Signet 0.1.0',
  timeZone: 'Europe/Berlin',
  language: 'en',
  han: undefined,
  logo: undefined,
  document: {
    id: 'doc_1',
    title: 'Agreement',
    fileName: 'agreement.pdf',
    pageCount: 1,
    signingOrder: 'parallel',
    originalByteLength: 1000,
    originalSha256: '0'.repeat(64),
    uploadedSha256: undefined,
    senderValues: [],
  },
  recipients: [],
  events: [],
  sealedAt: '2031-03-04T05:06:07Z',
  consents: [],
  audit: { sequence: 1, hash: '0'.repeat(64) },
  sealCertificate: { subject: 'CN=Seal', issuer: 'CN=Root', serial: '01', sha256: '0'.repeat(64), algorithm: 'ECDSA P-256' },
  verifyUrl: 'https://sign.example.com/verify',
  sealCertificatesUrl: 'https://sign.example.com/certificate',
}

export const SIGNATURE: PrepareRequest['signature'] = {
  name: 'Contoso Verträge GmbH',
  reason: 'Sealed',
  location: 'Köln',
  at: '2031-03-04T05:06:07Z',
  contentsBytes: 8192,
}

const operators = (matrix: readonly number[], width: number, height: number): PDFOperator[] => [
  PDFOperator.of(PDFOperatorNames.PushGraphicsState),
  PDFOperator.of(
    PDFOperatorNames.ConcatTransformationMatrix,
    matrix.map(value => PDFNumber.of(value)),
  ),
  PDFOperator.of(
    PDFOperatorNames.NonStrokingColorRgb,
    [1, 0, 0].map(value => PDFNumber.of(value)),
  ),
  PDFOperator.of(
    PDFOperatorNames.AppendRectangle,
    [0, 0, width, height].map(value => PDFNumber.of(value)),
  ),
  PDFOperator.of(PDFOperatorNames.FillNonZero),
  PDFOperator.of(PDFOperatorNames.PopGraphicsState),
]

/** Draws a red box for each field, and an empty audit certificate. */
export const RED_BOXES: Composers & Pick<Machine, 'random'> = {
  random: THIS_MACHINE.random,
  async overlay(pages) {
    const document = await PDFDocument.create()
    for (const { box, fields } of pages) {
      const page = document.addPage()
      page.setMediaBox(box.left, box.bottom, box.width, box.height)
      for (const field of fields) {
        const { matrix, width, height } = place(box, field.box)
        page.pushOperators(...operators(matrix, width, height))
      }
    }
    return document.save()
  },
  async evidence(_, { width, height }) {
    const document = await PDFDocument.create()
    document.addPage([width, height]).drawText('Certificate of completion', { x: 50, y: 50 })
    return document.save()
  },
}

export const fieldOn = (page: number, box: FieldAppearance['box'] = { x: 10, y: 20, width: 30, height: 5 }): FieldAppearance => ({
  page,
  box,
  content: { kind: 'check' },
})
