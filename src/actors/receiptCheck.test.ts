import { afterEach, expect, test, vi } from 'vitest'
import { createActor, waitFor } from 'xstate'
import { createReceiptCheckLogic } from './receiptCheck.ts'

vi.mock('../browser/qrReader.ts', () => ({ createQrReader: async () => () => new Promise(() => {}) }))

afterEach(() => vi.unstubAllGlobals())

test('a torch that Android reports once the camera plays is offered', async () => {
  let isPlaying = false
  const applyConstraints = vi.fn(async () => {})
  const track = {
    ...{ applyConstraints, addEventListener() {}, stop() {} },
    getCapabilities: () => (isPlaying ? { torch: true } : {}),
  }
  const stream = { getVideoTracks: () => [track], getTracks: () => [track] }
  vi.stubGlobal('navigator', { mediaDevices: { getUserMedia: async () => stream } })
  const video = {
    srcObject: null,
    async play() {
      isPlaying = true
    },
  } as unknown as HTMLVideoElement
  const logic = createReceiptCheckLogic(
    () => video,
    () => null,
  )
  const actor = createActor(logic, { input: { text: null } }).start()
  actor.send({ type: 'camera.start' })
  const { context } = await waitFor(actor, (state) => state.matches({ scanning: 'looking' }))
  expect(context.torch).toBe('off')
  actor.send({ type: 'torch.toggle' })
  expect(applyConstraints).toHaveBeenCalledWith({ advanced: [{ torch: true }] })
  actor.stop()
})
