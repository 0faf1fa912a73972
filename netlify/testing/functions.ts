import type { Host } from '../server/endpoints/endpoint.ts'
import {
  FUNCTIONS,
  type GuardedFunctionName,
  isPublicFunction,
  type RegisteredFunctionName,
} from '../server/endpoints/registry.ts'
import type { Context } from '../server/platform/context.ts'
import { HOST_LIMITS } from './network.ts'

interface FunctionModule {
  readonly config?: { readonly schedule?: string }
  readonly default: (request: Request, host: Visit) => Promise<Response>
  readonly respond: (request: Request, context: () => Context, host: Visit) => Promise<Response>
}

interface Visit extends Host {
  readonly ip: string
}

const modules = import.meta.glob<FunctionModule>('../functions/*.ts', { eager: true })

export const functionFileNames = Object.keys(modules).map((path) => path.replace(/^.*\/|\.ts$/g, ''))

/** @throws if the function has no file. */
export function getFunctionModule(name: RegisteredFunctionName): FunctionModule {
  const module = modules[`../functions/${name}.ts`]
  if (!module) throw new Error(`${name} has no file in netlify/functions/`)
  return module
}

/** Returns how long the host lets a function run, in milliseconds. */
export const getHostLimit = (name: RegisteredFunctionName): number =>
  HOST_LIMITS[getFunctionModule(name).config?.schedule ? 'scheduled' : 'function']

export const functionNames = Object.keys(FUNCTIONS) as readonly RegisteredFunctionName[]

export const guardedFunctionNames = functionNames.filter(
  (name): name is GuardedFunctionName => !isPublicFunction(name),
)
