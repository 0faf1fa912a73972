import { fromCallback, fromPromise } from 'xstate'
import { err, ok } from '../../domain/common/result.ts'
import { verifyReceiptCode } from '../../domain/transfers/receiptCode.ts'
import { type ReceiptCheckEvent, receiptCheckMachine } from '../../machines/receiptCheck.ts'
import { openCamera } from '../browser/camera.ts'
import { createQrReader } from '../browser/qrReader.ts'
import { receiptKeys } from '../services/receiptKeys.ts'
import { settings } from '../services/settings.ts'

/** In milliseconds. */
const PAUSE_BETWEEN_PICTURES = 100

export const createReceiptCheckLogic = (
  getVideo: () => HTMLVideoElement | null,
  getPicture: () => Blob | null,
) =>
  receiptCheckMachine.provide({
    actors: {
      watchCamera: fromCallback(({ sendBack, receive }) => {
        const send = (event: ReceiptCheckEvent) => sendBack(event)
        const ended = new AbortController()
        let switchTorch = () => {}
        receive(() => switchTorch())
        scan(getVideo, send, ended.signal, (toggle) => {
          switchTorch = toggle
        }).catch(() => send({ type: 'camera.failed', problem: 'failed' }))
        return () => ended.abort()
      }),
      readPicture: fromPromise(async () => {
        const read = await createQrReader('file')
        const picture = getPicture()
        const bitmap = picture && (await createImageBitmap(picture).catch(() => null))
        if (!bitmap) return err('unreadable')
        try {
          const text = await read(bitmap, bitmap.width, bitmap.height)
          return text === null ? err('noCode') : ok(text)
        } finally {
          bitmap.close()
        }
      }),
      verifyCode: fromPromise(({ input: { text } }) =>
        verifyReceiptCode(text, { deployment: settings.projectId, keys: receiptKeys }),
      ),
    },
  })

async function scan(
  getVideo: () => HTMLVideoElement | null,
  send: (event: ReceiptCheckEvent) => void,
  signal: AbortSignal,
  onTorch: (toggle: () => void) => void,
) {
  // The reader loads first, because a chunk that is missing is not a problem of the camera.
  const loading = createQrReader('camera').catch(() => null)
  const opened = await openCamera()
  if (signal.aborted) return opened.ok && opened.value.close()
  if (!opened.ok) return send({ type: 'camera.failed', problem: opened.error })
  const { stream, findTorch, onEnd, close } = opened.value
  const video = getVideo()
  signal.addEventListener('abort', () => {
    if (video) video.srcObject = null
    close()
  })
  const read = await loading
  if (signal.aborted) return
  if (!read) return send({ type: 'camera.failed', problem: 'notLoaded' })
  onEnd(() => send({ type: 'camera.failed', problem: 'failed' }))
  if (!video) throw new Error('The page has no place for the picture of the camera')
  video.srcObject = stream
  await video.play()
  const setTorch = findTorch()
  let isOn = false
  onTorch(() => {
    isOn = !isOn
    setTorch?.(isOn).catch(() => undefined)
  })
  send({ type: 'camera.opened', hasTorch: setTorch !== null })
  while (!signal.aborted) {
    const text = await read(video, video.videoWidth, video.videoHeight)
    if (text !== null && !signal.aborted) return send({ type: 'code.read', text })
    await new Promise((resolve) => setTimeout(resolve, PAUSE_BETWEEN_PICTURES))
  }
}
