import { afterEach, expect, test, vi } from 'vitest'
import { SAMPLE_OPERATOR, SAMPLE_TRANSFER } from '../../../../print/receipt.samples.ts'
import { buildReceiptContent } from '../../../../print/receiptContent.ts'
import { shareReceipt } from './shareReceipt.ts'

const save = vi.hoisted(() => vi.fn())
const drawTextOnCanvas = vi.hoisted(() => vi.fn(async () => null))
vi.mock('../../../browser/saveFile.ts', () => ({ saveFile: save }))
vi.mock('./receiptPicture.ts', () => ({ drawTextOnCanvas }))

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetAllMocks()
})

const someContent = () =>
  // The fonts lack the letters of this name.
  buildReceiptContent(
    { ...SAMPLE_TRANSFER, senderName: 'ߞߊ߲ߕߍ' },
    {
      language: 'fr',
      operator: SAMPLE_OPERATOR,
      isLate: false,
    },
  )

function stubShare(share: () => Promise<void>) {
  const asked = vi.fn<(data: ShareData) => Promise<void>>(share)
  vi.stubGlobal('navigator', { canShare: ({ files }: ShareData) => files?.length === 1, share: asked })
  return asked
}

const noteCreated = vi.fn<() => void>()

const refused = (name: string) => () => Promise.reject(new DOMException('', name))

test('sharing a receipt passes its PDF on and saves no file', async () => {
  const share = stubShare(async () => undefined)
  expect(await shareReceipt(someContent(), noteCreated)).toBe('shared')
  const [file] = share.mock.calls[0]?.[0].files ?? []
  expect([file?.name, file?.type, (await file?.text())?.slice(0, 5)]).toEqual([
    `receipt-${SAMPLE_TRANSFER.id}.pdf`,
    'application/pdf',
    '%PDF-',
  ])
  expect(save).not.toHaveBeenCalled()
})

test('sharing a receipt saves its PDF if the browser can’t share files', async () => {
  vi.stubGlobal('navigator', {})
  expect(await shareReceipt(someContent(), noteCreated)).toBe('saved')
  expect(save).toHaveBeenCalledExactlyOnceWith(expect.any(File), `receipt-${SAMPLE_TRANSFER.id}.pdf`)
})

test.each([
  ['AbortError', 'givenUp'],
  ['NotAllowedError', 'ready'],
])('sharing a receipt maps the browser’s %s to %s', async (name, result) => {
  stubShare(refused(name))
  expect(await shareReceipt(someContent(), noteCreated)).toBe(result)
})

test('sharing a receipt fails with the browser’s DataError', async () => {
  stubShare(refused('DataError'))
  await expect(shareReceipt(someContent(), noteCreated)).rejects.toMatchObject({ name: 'DataError' })
})

test('a tap after NotAllowedError shares the file that was already created', async () => {
  const content = someContent()
  const first = stubShare(refused('NotAllowedError'))
  await shareReceipt(content, noteCreated)
  const second = stubShare(async () => undefined)
  expect(await shareReceipt(content, noteCreated)).toBe('shared')
  expect(second.mock.calls[0]?.[0].files?.[0]).toBe(first.mock.calls[0]?.[0].files?.[0])
  expect(drawTextOnCanvas).toHaveBeenCalledTimes(1)
})

test('after a share promise that never settles, the next tap saves', async () => {
  const content = someContent()
  stubShare(() => new Promise(() => {}))
  const first = shareReceipt(content, noteCreated)
  await vi.waitFor(() => expect(noteCreated).toHaveBeenCalledOnce())
  stubShare(refused('InvalidStateError'))
  expect(await shareReceipt(content, noteCreated)).toBe('saved')
  expect(save).toHaveBeenCalledExactlyOnceWith(expect.any(File), `receipt-${SAMPLE_TRANSFER.id}.pdf`)
  const settled = vi.fn<() => void>()
  first.then(settled)
  expect(settled).not.toHaveBeenCalled()
})

test('sharing a receipt again after a failure creates its PDF again', async () => {
  const content = someContent()
  stubShare(async () => undefined)
  drawTextOnCanvas.mockRejectedValueOnce(new Error('no canvas'))
  await expect(shareReceipt(content, noteCreated)).rejects.toThrow('no canvas')
  expect(await shareReceipt(content, noteCreated)).toBe('shared')
})
