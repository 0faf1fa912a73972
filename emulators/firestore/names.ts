import { invalidArgument, StatusError } from './status.ts'
import { MAX_NAME_BYTES } from './values.ts'

const DATABASE = '(default)'

/** A document's or a collection's place below the database's root, such as 'users/abc' or 'users'. */
export type Path = string

export const lastSegment = (path: Path) => path.slice(path.lastIndexOf('/') + 1)

/** The collection of a document, or the document above a collection; '' at the root. */
export const parentOf = (path: Path) => path.slice(0, Math.max(0, path.lastIndexOf('/')))

export const isDocumentPath = (path: Path) => path !== '' && path.split('/').length % 2 === 0

/** The full resource names of one project's database, and back. */
export function createNames(projectId: string) {
  const database = `projects/${projectId}/databases/${DATABASE}`
  const root = `${database}/documents`

  /** The path below the root; '' for the root itself. Refuses other databases and names that no document can have. */
  const pathOf = (name: string): Path => {
    const [projects, project, databases, databaseId, documents, ...segments] = name.split('/')
    if (projects !== 'projects' || databases !== 'databases' || documents !== 'documents')
      throw invalidArgument(`Invalid resource name: ${name}`)
    if (project !== projectId || databaseId !== DATABASE)
      throw new StatusError('NOT_FOUND', `The database ${databaseId} does not exist for project ${project}`)
    if (segments.some((segment) => /^(|\.|\.\.|__.*__)$/s.test(segment)))
      throw invalidArgument(`Invalid resource name: ${name}`)
    if (segments.some((segment) => Buffer.byteLength(segment) > MAX_NAME_BYTES))
      throw invalidArgument(`A segment of a resource name is longer than ${MAX_NAME_BYTES} bytes`)
    return segments.join('/')
  }

  const documentPath = (name: string): Path => {
    const path = pathOf(name)
    if (!isDocumentPath(path)) throw invalidArgument(`Not the name of a document: ${name}`)
    return path
  }

  return {
    database,
    root,
    nameOf: (path: Path) => `${root}/${path}`,
    pathOf,
    documentPath,
    /** As the rules know it: '/databases/(default)/documents/users/abc'. */
    rulesPath: (path: Path) => `/databases/${DATABASE}/documents/${path}`,
    pathOfRules: (rulesPath: string): Path => rulesPath.slice(`/databases/${DATABASE}/documents/`.length),
  }
}

export type Names = ReturnType<typeof createNames>
