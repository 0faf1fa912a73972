import { HOUR } from '../../../domain/common/duration.ts'
import { MAX_REVIEW_WAIT, measureIdentityQueue } from '../../../netlify/server/platform/identityQueue.ts'
import {
  buildBadFinding,
  buildGoodFinding,
  type DoctorCheck,
  type DoctorSubject,
  type Finding,
} from './findings.ts'

export const identityChecks: readonly DoctorCheck[] = [['The identity documents', checkIdentityQueue]]

/** Checks how long identity documents wait for a decision. Returns nothing if none does. */
export async function checkIdentityQueue({
  context,
}: Pick<DoctorSubject, 'context'>): Promise<readonly Finding[]> {
  const { documents, waitMs } = await measureIdentityQueue(context)
  if (documents === 0) return []
  const said = `${documents} identity documents wait for a decision, the oldest for ${Math.floor(waitMs / HOUR)} hours.`
  return [
    waitMs < MAX_REVIEW_WAIT
      ? buildGoodFinding(said)
      : buildBadFinding(
          said,
          'Decide them: npm run ops -- identity list (docs/running.md, Reviewing identity documents).',
        ),
  ]
}
