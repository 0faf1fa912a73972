import Stripe from 'stripe'
import * as v from 'valibot'
import type { FunctionRequest, FunctionResponse } from '../../../domain/api/api.ts'
import { err, ok, type Result } from '../../../domain/common/result.ts'
import { ValidationError } from '../../../domain/common/schema.ts'
import { createCallerVerifier } from '../accounts/callerVerifier.ts'
import type { CallerSession, VerifyCaller } from '../platform/caller.ts'
import { type Context, waitForBackgroundWork } from '../platform/context.ts'
import { runUntil } from '../platform/deadline.ts'
import { getTrace, logToStdout } from '../platform/log.ts'
import { buildRefusal, type FunctionRefusal, type Refusal } from '../platform/refusals.ts'
import { admitCall } from './admission.ts'
import {
  FUNCTIONS,
  type GuardedFunctionName,
  type PublicFunctionName,
  type RegisteredFunctionName,
} from './registry.ts'

const MAX_BODY_BYTES = 16 * 1024

/** In milliseconds. The host ends a function after 60 seconds. */
const END_AFTER = 45_000

export interface Host {
  /** Keeps the process alive after the response until the work is done. */
  readonly waitUntil?: (work: Promise<unknown>) => void
}

/** Creates the context late, so that invalid settings lead to a response and a log line. */
export type Respond<C extends Context = Context> = (
  request: Request,
  context: () => C,
  host?: Host,
) => Promise<Response>

type Answer = Result<object | Response, Refusal>

interface Definition<Name extends GuardedFunctionName> {
  readonly name: Name
  readonly method: 'GET' | 'POST'
  readonly request: v.GenericSchema<unknown, FunctionRequest<Name>>
}

/** The default verifier also refuses a sign-in that may not open the account (`acceptsSignIn`). */
export function createEndpoint<Name extends GuardedFunctionName, C extends Context = Context>(
  { name, method, request: schema }: Definition<Name>,
  handle: (
    context: C,
    caller: CallerSession,
    body: FunctionRequest<Name>,
    origin: string,
  ) => Promise<Result<FunctionResponse<Name>, FunctionRefusal<Name>>>,
  getVerifier: (context: C) => VerifyCaller = createCallerVerifier,
): Respond<C> {
  return respondTo<C>(name, async (request, context) => {
    const caller = await getVerifier(context)(request.headers.get('authorization'))
    if (!caller.ok) return caller
    const body = await (method === 'GET' ? readQuery : readBody)(request, schema)
    if (!body.ok) return body
    const admitted = await admitCall(context, name, caller.value)
    if (!admitted.ok) return admitted
    // The origin of a request comes from its header `Host`, which the caller may forge.
    return handle(context, caller.value, body.value, context.site ?? new URL(request.url).origin)
  })
}

export const createPublicEndpoint = <C extends Context = Context>(
  name: PublicFunctionName,
  answer: (request: Request, context: C) => Promise<Answer>,
): Respond<C> => respondTo(name, answer)

export interface Visitor {
  readonly ip: string
}

/** Limits callers by network. `ip`: the address that the host reports. */
export const createNetworkEndpoint =
  <C extends Context = Context>(
    name: PublicFunctionName,
    answer: (context: C, request: Request, ip: string) => Promise<Answer>,
  ) =>
  (request: Request, provideContext: () => C, { ip }: Visitor): Promise<Response> =>
    createPublicEndpoint<C>(name, (asked, context) => answer(context, asked, ip))(request, provideContext)

/** Responses are never cached and have the server's time; an exception becomes an error response. */
function respondTo<C extends Context>(
  name: RegisteredFunctionName,
  answer: (request: Request, context: C) => Promise<Answer>,
): Respond<C> {
  const { method, ...rest } = FUNCTIONS[name]
  const methods: readonly string[] = 'orMethod' in rest ? [method, rest.orMethod] : [method]
  return async (request, provideContext, host = {}) => {
    const startedAt = performance.now()
    let known: Pick<Context, 'log' | 'now' | 'region'> = {
      log: logToStdout,
      now: Date.now,
      region: null,
    }
    // A request that its host has ended delays no other.
    const backgroundWork = new Set<Promise<void>>()
    const settle = async (): Promise<Answer> => {
      try {
        const context = { ...provideContext(), backgroundWork }
        known = context
        return methods.includes(request.method)
          ? await runUntil(context.expire(END_AFTER), () => answer(request, context))
          : err(buildRefusal('methodNotAllowed'))
      } catch (error) {
        known.log({ level: 'error', event: 'functionFailed', function: name, ...getTrace(error) })
        return err(
          buildRefusal(error instanceof Stripe.errors.StripeError ? 'paymentUnavailable' : 'unavailable'),
        )
      }
    }
    const result = await settle()
    // A host that can't keep the process alive may stop it after the response.
    if (host.waitUntil) host.waitUntil(waitForBackgroundWork({ backgroundWork }))
    else await waitForBackgroundWork({ backgroundWork })
    const response = result.ok ? respondWith(result.value) : refuse(result.error, methods.join(', '))
    // The app never decides about money by the device's own clock.
    response.headers.set('server-time', String(known.now()))
    // `npm run ops -- doctor` compares this region with the database's.
    if (known.region !== null) response.headers.set('server-region', known.region)
    known.log({
      level: 'info',
      event: 'functionResponded',
      function: name,
      status: response.status,
      code: result.ok ? null : result.error.code,
      ms: Math.round(performance.now() - startedAt),
    })
    return response
  }
}

async function readQuery<T>(request: Request, schema: v.GenericSchema<unknown, T>) {
  return parseRequest(Object.fromEntries(new URL(request.url).searchParams), schema)
}

export async function readBody<T>(
  request: Request,
  schema: v.GenericSchema<unknown, T>,
  maxBytes = MAX_BODY_BYTES,
): Promise<Result<T, Refusal<'invalidRequest'>>> {
  if (!/^application\/json\b/i.test(request.headers.get('content-type') ?? ''))
    return err(buildRefusal('invalidRequest', { message: 'The content type must be application/json.' }))
  const text = await request.text()
  if (Buffer.byteLength(text) > maxBytes)
    return err(buildRefusal('invalidRequest', { message: 'The body is too large.' }))
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return err(buildRefusal('invalidRequest', { message: 'The body is not JSON.' }))
  }
  return parseRequest(json, schema)
}

function parseRequest<T>(
  value: unknown,
  schema: v.GenericSchema<unknown, T>,
): Result<T, Refusal<'invalidRequest'>> {
  const parsed = v.safeParse(schema, value)
  if (parsed.success) return ok(parsed.output)
  const { path, reason } = new ValidationError(parsed.issues)
  const message = path ? `${path} ${reason}` : `The request ${reason}`
  return err(buildRefusal('invalidRequest', { message, details: { fields: [{ path, message: reason }] } }))
}

function respondWith(value: object | Response): Response {
  return value instanceof Response ? value : createJsonResponse(200, value)
}

function refuse({ status, ...body }: Refusal, allow: string): Response {
  const { details = {} } = body
  const retryAfterSeconds = 'retryAfterSeconds' in details ? details.retryAfterSeconds : undefined
  return createJsonResponse(status, body, {
    ...(status === 405 && { allow }),
    ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
  })
}

/** Same as in `public/_headers`. */
const JSON_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

export function createJsonResponse(
  status: number,
  body: object,
  headers: Record<string, string> = {},
): Response {
  return Response.json(body, { status, headers: { ...JSON_HEADERS, ...headers } })
}
