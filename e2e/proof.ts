/** Whether this run is the proof of a change, `npm test`, which checks less than `npm test -- --all`. */
export const isProof = Boolean(process.env.PROOF)
