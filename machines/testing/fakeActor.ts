import { fromPromise, type NonReducibleUnknown } from 'xstate'

export const flushQueue = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Answers when the test calls `answer` or `fail`, and records its inputs. */
export function createFakeActor<Output, Input extends NonReducibleUnknown>() {
  const asked: Input[] = []
  const waiting: { resolve: (output: Output) => void; reject: (error: Error) => void }[] = []
  return {
    asked,
    logic: fromPromise<Output, Input>(({ input }) => {
      asked.push(input)
      return new Promise((resolve, reject) => waiting.push({ resolve, reject }))
    }),
    async answer(output: Output) {
      waiting.at(-1)?.resolve(output)
      await flushQueue()
    },
    async fail() {
      waiting.at(-1)?.reject(new Error('no answer'))
      await flushQueue()
    },
  }
}
