import { arrange } from '../machines/testing/receiptCheckSituations.ts'
import { RECEIPT_CHECK_PATH } from '../src/browser/receiptCheckPath.ts'
import { captureSnapshot } from './machines.ts'
import type { Scene } from './scene.ts'

const showState = (name: string, state: string, situation: Parameters<typeof captureSnapshot>[0]): Scene => ({
  name,
  at: { receiptCheck: state },
  path: RECEIPT_CHECK_PATH,
  account: null,
  snapshots: { receiptCheck: captureSnapshot(situation) },
})

const showCameraProblem = (problem: 'refused' | 'missing') =>
  showState(`receipt-check-camera-${problem}`, 'choosing', () => {
    const started = arrange.opening()
    started.send({ type: 'camera.failed', problem })
    return started
  })

export const RECEIPT_CHECK_SCENES: readonly Scene[] = [
  showState('receipt-check', 'choosing', arrange.choosing),
  { ...showState('receipt-check-opening', 'scanning.opening', arrange.opening), isBrief: true },
  showState('receipt-check-camera', 'scanning.looking', () => arrange.looking()),
  showState('receipt-check-dark', 'scanning.hinting', arrange.hinting),
  showCameraProblem('refused'),
  showCameraProblem('missing'),
  showState('receipt-check-no-code', 'choosing', async () => {
    const started = arrange.readingPicture()
    await started.readPicture.answer({ ok: false, error: 'noCode' })
    return started
  }),
  {
    ...showState('receipt-check-unreadable', 'choosing', arrange.choosing),
    act: ({ choose }) => choose(new File(['MZ'], 'recu.jpg', { type: 'image/jpeg' })),
    shows: 'Ce fichier n’est pas une image lisible. Choisissez une photo ou une capture d’écran du reçu.',
  },
  showState('receipt-check-genuine', 'genuine', arrange.genuine),
  showState('receipt-check-altered', 'refused', () => arrange.refused()),
  showState('receipt-check-other', 'refused', () =>
    arrange.refused({ kind: 'otherDeployment', deployment: 'passerelle-staging' }),
  ),
  showState('receipt-check-unknown-key', 'refused', () => arrange.refused({ kind: 'unknownKey' })),
  showState('receipt-check-not-receipt', 'refused', () => arrange.refused({ kind: 'notReceipt' })),
]
