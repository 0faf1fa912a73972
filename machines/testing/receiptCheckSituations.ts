import {
  type AnyEventObject,
  createActor,
  fromCallback,
  type NonReducibleUnknown,
  SimulatedClock,
} from 'xstate'
import { err, ok, type Result } from '../../domain/common/result.ts'
import { money } from '../../domain/money/money.ts'
import type { ReceiptCodeProblem, ReceiptFacts } from '../../domain/transfers/receiptCode.ts'
import { type PictureProblem, receiptCheckMachine } from '../receiptCheck.ts'
import { createFakeActor } from './fakeActor.ts'
import { recordTransition } from './lastTransition.ts'

export const CODE = 'https://passerelle.example/t/code'

export const FACTS: ReceiptFacts = {
  id: 'pi_3MtwBwLkdIwHu7ix28a3tqPa',
  amount: money(1_028_200, 'GNF'),
  maskedPhone: '+224*******00',
  state: 'delivered',
  at: Date.UTC(2026, 10, 20, 11, 30),
  deployment: 'demo-passerelle',
}

let stopLast = () => {}

export const stopTestActor = () => stopLast()

export function createTestActor({ text = null as string | null } = {}) {
  const clock = new SimulatedClock()
  const camera = { opened: 0, closed: 0, commands: [] as string[] }
  const readPicture = createFakeActor<Result<string, PictureProblem>, NonReducibleUnknown>()
  const verifyCode = createFakeActor<Result<ReceiptFacts, ReceiptCodeProblem>, { text: string }>()
  const watchCamera = fromCallback<AnyEventObject>(({ receive }) => {
    camera.opened += 1
    receive(({ type }) => camera.commands.push(type))
    return () => {
      camera.closed += 1
    }
  })
  const actors = { watchCamera, readPicture: readPicture.logic, verifyCode: verifyCode.logic }
  const actor = createActor(receiptCheckMachine.provide({ actors }), {
    clock,
    input: { text },
    inspect: recordTransition,
  }).start()
  stopLast = () => actor.stop()
  return {
    ...{ actor, camera, readPicture, verifyCode, send: actor.send },
    pass: (ms: number) => clock.increment(ms),
    value: () => actor.getSnapshot().value,
    context: () => actor.getSnapshot().context,
  }
}

export const arrange = {
  choosing: () => createTestActor(),
  opening() {
    const started = arrange.choosing()
    started.send({ type: 'camera.start' })
    return started
  },
  looking(hasTorch = true) {
    const started = arrange.opening()
    started.send({ type: 'camera.opened', hasTorch })
    return started
  },
  hinting() {
    const started = arrange.looking()
    started.pass(8000)
    return started
  },
  readingPicture() {
    const started = arrange.choosing()
    started.send({ type: 'picture.choose' })
    return started
  },
  verifying: () => createTestActor({ text: CODE }),
  async genuine() {
    const started = arrange.verifying()
    await started.verifyCode.answer(ok(FACTS))
    return started
  },
  async refused(problem: ReceiptCodeProblem = { kind: 'altered' }) {
    const started = arrange.verifying()
    await started.verifyCode.answer(err(problem))
    return started
  },
}
