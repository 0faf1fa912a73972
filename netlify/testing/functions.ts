import type { Respond } from '../server/platform/endpoint.ts'
import { FUNCTIONS, type GuardedName, isPublic, type RegisteredName } from '../server/platform/registry.ts'

/** A file of `netlify/functions/`. */
interface FunctionModule {
  /** As the host calls it. */
  readonly default: (request: Request, visitor: { readonly ip: string }) => Promise<Response>
  /** The same with a context of the caller's. */
  readonly respond: (
    ...args: [...Parameters<Respond>, visitor: { readonly ip: string }]
  ) => ReturnType<Respond>
}

const modules = import.meta.glob<FunctionModule>('../functions/*.ts', { eager: true })

export const functionFiles = Object.keys(modules).map((path) => path.replace(/^.*\/|\.ts$/g, ''))

/** The code of a registered function. @throws when it has no file. */
export function functionModule(name: RegisteredName): FunctionModule {
  const module = modules[`../functions/${name}.ts`]
  if (!module) throw new Error(`${name} has no file in netlify/functions/`)
  return module
}

export const functionNames = Object.keys(FUNCTIONS) as readonly RegisteredName[]

export const guardedNames = functionNames.filter((name): name is GuardedName => !isPublic(name))
