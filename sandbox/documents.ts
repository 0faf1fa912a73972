import type { FirestoreEmulator, WireFields } from 'service-emulators/firestore'

type Documents = Pick<FirestoreEmulator, 'documents'>

export const listDocuments = (firestore: Documents, collection: string): Record<string, unknown>[] =>
  Object.entries(firestore.documents())
    .filter(([path]) => path.split('/')[0] === collection && path.split('/').length === 2)
    .map(([path, fields]) => ({ ...fields, id: path.split('/')[1] }))

/** As the administrator. `mask`: the fields to change; without it, the document is replaced. */
export function writeDocument(
  { app }: Pick<FirestoreEmulator, 'app'>,
  projectId: string,
  path: string,
  fields: WireFields,
  mask?: readonly string[],
): Response | Promise<Response> {
  const query = mask?.map((field) => `updateMask.fieldPaths=${field}`) ?? []
  const address = `/v1/projects/${projectId}/databases/(default)/documents/${path}`
  return app.request(`${address}?${[...(mask ? ['currentDocument.exists=true'] : []), ...query].join('&')}`, {
    method: 'PATCH',
    headers: { authorization: 'Bearer owner' },
    body: JSON.stringify({ fields }),
  })
}
