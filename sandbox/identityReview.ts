import { Hono } from 'hono'
import { html } from 'hono/html'
import type { FirestoreEmulator } from 'service-emulators/firestore'
import type { StorageEmulator } from 'service-emulators/storage'
import { listDocuments, writeDocument } from './documents.ts'

const ITEMS = ['document', 'details'] as const

/** In production, operators decide with `npm run ops -- identity approve`. */
export function createIdentityReviewSection({
  projectId,
  firestore,
  storage,
}: {
  projectId: string
  firestore: FirestoreEmulator
  storage: StorageEmulator
}) {
  const files = () =>
    listDocuments(firestore, 'files').sort((one, other) =>
      String(other.createdAt).localeCompare(String(one.createdAt)),
    )

  /** The stored document, not the URL in its record. */
  const findDocumentAddress = ({ userId, downloadUrl }: Record<string, unknown>) => {
    const name = /%2F([0-9a-f-]+)\?/.exec(String(downloadUrl))?.[1]
    const object = storage.objects().find((one) => one.name === `identity/${userId}/${name}`)
    return (
      object &&
      `/v0/b/${object.bucket}/o/${encodeURIComponent(object.name)}?alt=media&token=${object.downloadTokens[0]}`
    )
  }

  const decide = (id: string, decided: Readonly<Record<string, string>>) => {
    const fields = Object.entries(decided).map(([name, stringValue]) => [name, { stringValue }])
    const mask = ['status', 'rejectedItem', 'rejectionReason']
    return writeDocument(firestore, projectId, `files/${id}`, Object.fromEntries(fields), mask)
  }

  const app = new Hono()
  app.get('/identity-files', (c) => c.json(files()))
  // Programs send JSON: { decision: 'approve' }, or 'reject' with `item` and `reason`.
  app.post('/identity-files/:id', async (c) => {
    const text = await c.req.text()
    const isJson = text.startsWith('{')
    const asked: Record<string, string> = isJson
      ? JSON.parse(text)
      : Object.fromEntries(new URLSearchParams(text))
    const { decision, item, reason = '' } = asked
    if (decision !== 'approve' && decision !== 'reject')
      return c.json({ error: 'decision must be approve or reject' }, 400)
    const answer = await decide(
      c.req.param('id'),
      decision === 'approve'
        ? { status: 'approved' }
        : {
            status: 'rejected',
            ...(ITEMS.some((known) => known === item) && { rejectedItem: item ?? '' }),
            rejectionReason: reason,
          },
    )
    if (!answer.ok) return answer
    return isJson ? c.json({}) : c.redirect('/sandbox#identity', 303)
  })

  const section = () => html`<h2 id="identity">Identity files</h2>
    ${files().length === 0 ? html`<p class="quiet">None yet. Submit one in the app, under Identity Verification.</p>` : ''}
    ${files().map((file) => {
      const address = findDocumentAddress(file)
      return html`<article>
        <p><strong>${file.status}</strong> — ${file.fullName}, ${file.idType} ${file.idNumber}, ${file.issuedBy}</p>
        <p class="quiet">Born ${file.dateOfBirth}, expires ${file.expirationDate}</p>
        <p>${address ? html`<a href="${address}">${file.fileName}</a>` : html`${file.fileName} is not stored.`}</p>
        ${
          file.status === 'pending'
            ? html`<form method="post" action="/sandbox/identity-files/${file.id}">
                <p>
                  <button name="decision" value="approve">Approve</button>
                  <button name="decision" value="reject">Reject</button>
                  <label>
                    for
                    <select name="item">
                      <option value="document">the document</option>
                      <option value="details">the details</option>
                      <option value="">everything</option>
                    </select>
                  </label>
                  <label>because <input name="reason" value="La photo est floue." /></label>
                </p>
              </form>`
            : ''
        }
      </article>`
    })}`

  return { app, section }
}

export type IdentityReviewSection = ReturnType<typeof createIdentityReviewSection>
