import { err, ok, type Result } from '../../domain/common/result.ts'

export interface Camera {
  readonly stream: MediaStream
  /** Null if the camera has no torch, or the browser doesn't control it. Older Androids know it once the video plays. */
  readonly findTorch: () => ((isOn: boolean) => Promise<void>) | null
  /** The system can take the camera away. */
  readonly onEnd: (listener: () => void) => void
  readonly close: () => void
}

export async function openCamera(): Promise<Result<Camera, 'refused' | 'missing' | 'failed'>> {
  // Absent on insecure addresses and in some apps' browsers.
  if (!navigator.mediaDevices) return err('missing')
  try {
    const video = { facingMode: 'environment', width: { ideal: 1280 }, height: { ideal: 720 } }
    const stream = await navigator.mediaDevices.getUserMedia({ video })
    const [track] = stream.getVideoTracks()
    return ok({
      stream,
      findTorch() {
        // TypeScript lacks the torch.
        const capabilities = track?.getCapabilities?.() as { readonly torch?: boolean } | undefined
        if (!track || !capabilities?.torch) return null
        return (torch) => track.applyConstraints({ advanced: [{ torch } as MediaTrackConstraintSet] })
      },
      onEnd: (listener) => track?.addEventListener('ended', listener),
      close() {
        for (const one of stream.getTracks()) one.stop()
      },
    })
  } catch (error) {
    const { name } = error as Error
    if (name === 'NotAllowedError' || name === 'SecurityError') return err('refused')
    return err(name === 'NotFoundError' ? 'missing' : 'failed')
  }
}
