import { afterEach, expect, test, vi } from 'vitest'
import { FRENCH, TRANSFER } from '../receipt.samples.ts'
import { receiptContent } from '../receiptContent.ts'
import { shareReceipt } from './shareReceipt.ts'

const save = vi.hoisted(() => vi.fn())
const emblem = vi.hoisted(() => vi.fn())
vi.mock('../../../browser/saveFile.ts', () => ({ save }))
vi.mock('./receiptImage.ts', () => ({ artist: { emblem, text: async () => null } }))

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetAllMocks()
})

const someContent = () =>
  receiptContent(TRANSFER, { senderName: 'Ana', language: 'fr', words: FRENCH, isLate: false })

function stubShare(share: () => Promise<void>) {
  const asked = vi.fn<(data: ShareData) => Promise<void>>(share)
  vi.stubGlobal('navigator', { canShare: ({ files }: ShareData) => files?.length === 1, share: asked })
  return asked
}

const refused = (name: string) => () => Promise.reject(new DOMException('', name))

test('the PDF goes to the app that is chosen', async () => {
  const share = stubShare(async () => undefined)
  expect(await shareReceipt(someContent())).toEqual({ ok: true, value: 'shared' })
  const [file] = share.mock.calls[0]?.[0].files ?? []
  expect([file?.name, file?.type, (await file?.text())?.slice(0, 5)]).toEqual([
    `receipt-${TRANSFER.id}.pdf`,
    'application/pdf',
    '%PDF-',
  ])
  expect(save).not.toHaveBeenCalled()
})

test('it is saved where files can not be shared', async () => {
  vi.stubGlobal('navigator', {})
  expect(await shareReceipt(someContent())).toEqual({ ok: true, value: 'saved' })
  expect(save).toHaveBeenCalledExactlyOnceWith(expect.any(File), `receipt-${TRANSFER.id}.pdf`)
})

test.each([
  ['AbortError', { ok: true, value: 'givenUp' }],
  ['NotAllowedError', { ok: true, value: 'ready' }],
  ['DataError', { ok: false, error: { kind: 'receiptUnavailable' } }],
])('%s', async (name, outcome) => {
  stubShare(refused(name))
  expect(await shareReceipt(someContent())).toEqual(outcome)
})

test('the tap after one that took too long is answered with the same file', async () => {
  const content = someContent()
  const first = stubShare(refused('NotAllowedError'))
  await shareReceipt(content)
  const second = stubShare(async () => undefined)
  expect(await shareReceipt(content)).toEqual({ ok: true, value: 'shared' })
  expect(second.mock.calls[0]?.[0].files?.[0]).toBe(first.mock.calls[0]?.[0].files?.[0])
  expect(emblem).toHaveBeenCalledTimes(1)
})

test('a file that could not be made is made anew', async () => {
  const content = someContent()
  stubShare(async () => undefined)
  emblem.mockRejectedValueOnce(new Error('no canvas'))
  expect(await shareReceipt(content)).toEqual({ ok: false, error: { kind: 'receiptUnavailable' } })
  expect(await shareReceipt(content)).toEqual({ ok: true, value: 'shared' })
})
