import { fromPromise, type NonReducibleUnknown } from 'xstate'

/** Lets everything that is already decided happen. */
export const settle = () => new Promise<void>((resolve) => setImmediate(resolve))

/** An actor that answers when the test says so, and knows what it was asked. */
export function fakeActor<Output, Input extends NonReducibleUnknown>() {
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
      await settle()
    },
    async fail() {
      waiting.at(-1)?.reject(new Error('no answer'))
      await settle()
    },
  }
}
