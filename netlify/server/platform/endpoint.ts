import Stripe from 'stripe'
import type { AnswerOf, RequestOf } from '../../../domain/api.ts'
import { err, type Result } from '../../../domain/result.ts'
import { type Schema, safeParse } from '../../../domain/schema.ts'
import { admit } from './admission.ts'
import type { Session, VerifyCaller } from './caller.ts'
import type { Context } from './context.ts'
import { logToStdout, traceOf } from './log.ts'
import { type Refusal, type RefusalBy, refusal } from './refusals.ts'
import { FUNCTIONS, type GuardedName, type PublicName, type RegisteredName } from './registry.ts'

/** Far more than any call of the app needs. */
const MAX_BODY_BYTES = 16 * 1024

/** Answers a request. The context is asked for late, so that unusable settings become an answer and a log line. */
export type Respond<C extends Context = Context> = (request: Request, context: () => C) => Promise<Response>

/** A value is answered with status 200; who needs another status makes the response. */
type Answer = Result<object | Response, Refusal>

interface Definition<Name extends GuardedName> {
  readonly name: Name
  readonly method: 'GET' | 'POST'
  readonly request: Schema<RequestOf<Name>>
}

/**
 * A function that a signed-in user calls, with a JSON body, or with GET by what stands in the address. It refuses other methods,
 * callers without a valid ID token, requests that do not fit the schema, and callers that are not admitted, before `handle` sees
 * anything. Unless another verifier is named, it refuses those too whose account is not open to them.
 */
export function endpoint<Name extends GuardedName, C extends Context = Context>(
  { name, method, request: schema }: Definition<Name>,
  handle: (
    context: C,
    caller: Session,
    body: RequestOf<Name>,
    origin: string,
  ) => Promise<Result<AnswerOf<Name>, RefusalBy<Name>>>,
  verifierOf: (context: C) => VerifyCaller = ({ verifyCaller }) => verifyCaller,
): Respond<C> {
  return respondTo<C>(name, async (request, context) => {
    const caller = await verifierOf(context)(request.headers.get('authorization'))
    if (!caller.ok) return caller
    const body = await (method === 'GET' ? readQuery : readBody)(request, schema)
    if (!body.ok) return body
    const admitted = await admit(context, name, caller.value)
    if (!admitted.ok) return admitted
    return handle(context, caller.value, body.value, new URL(request.url).origin)
  })
}

/** A function that asks for no token. */
export const publicEndpoint = <C extends Context = Context>(
  name: PublicName,
  answer: (request: Request, context: C) => Promise<Answer>,
): Respond<C> => respondTo(name, answer)

/** What every function has in common: one method, JSON answers that are never kept and say the time, and no exception that escapes. */
function respondTo<C extends Context>(
  name: RegisteredName,
  answer: (request: Request, context: C) => Promise<Answer>,
): Respond<C> {
  const { method, ...rest } = FUNCTIONS[name]
  const methods: readonly string[] = 'orMethod' in rest ? [method, rest.orMethod] : [method]
  return async (request, provideContext) => {
    const startedAt = performance.now()
    // Until the settings are read.
    let known: Pick<Context, 'log' | 'now' | 'region' | 'beside'> = {
      log: logToStdout,
      now: Date.now,
      region: null,
      beside: new Set(),
    }
    const settle = async (): Promise<Answer> => {
      try {
        const context = provideContext()
        known = context
        return methods.includes(request.method)
          ? await answer(request, context)
          : err(refusal('methodNotAllowed'))
      } catch (error) {
        known.log({ level: 'error', event: 'failed', function: name, ...traceOf(error) })
        return err(refusal(error instanceof Stripe.errors.StripeError ? 'paymentUnavailable' : 'unavailable'))
      }
    }
    const result = await settle()
    await Promise.all(known.beside)
    const response = result.ok ? respondWith(result.value) : refuse(result.error, methods.join(', '))
    // The app decides nothing about money by the device's own clock.
    response.headers.set('server-time', String(known.now()))
    // For the doctor, who compares it with where the database is.
    if (known.region !== null) response.headers.set('server-region', known.region)
    known.log({
      level: 'info',
      event: 'answered',
      function: name,
      status: response.status,
      code: result.ok ? null : result.error.code,
      ms: Math.round(performance.now() - startedAt),
    })
    return response
  }
}

/** What stands in the address of a request that fits the schema. */
async function readQuery<T>(request: Request, schema: Schema<T>) {
  return parseRequest(Object.fromEntries(new URL(request.url).searchParams), schema)
}

/** The JSON body of a request that fits the schema. */
export async function readBody<T>(
  request: Request,
  schema: Schema<T>,
): Promise<Result<T, Refusal<'invalidRequest'>>> {
  if (!/^application\/json\b/i.test(request.headers.get('content-type') ?? ''))
    return err(refusal('invalidRequest', { message: 'The content type must be application/json.' }))
  const text = await request.text()
  if (Buffer.byteLength(text) > MAX_BODY_BYTES)
    return err(refusal('invalidRequest', { message: 'The body is too large.' }))
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return err(refusal('invalidRequest', { message: 'The body is not JSON.' }))
  }
  return parseRequest(json, schema)
}

function parseRequest<T>(value: unknown, schema: Schema<T>): Result<T, Refusal<'invalidRequest'>> {
  const parsed = safeParse(schema, value)
  if (parsed.ok) return parsed
  const { path, reason } = parsed.error
  const message = path ? `${path} ${reason}` : `The request ${reason}`
  return err(refusal('invalidRequest', { message, details: { fields: [{ path, message: reason }] } }))
}

function respondWith(value: object | Response): Response {
  return value instanceof Response ? value : reply(200, value)
}

function refuse({ status, ...body }: Refusal, allow: string): Response {
  const { details = {} } = body
  const retryAfterSeconds = 'retryAfterSeconds' in details ? details.retryAfterSeconds : undefined
  return reply(status, body, {
    ...(status === 405 && { allow }),
    ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
  })
}

/** A JSON answer that nobody keeps. */
export function reply(status: number, body: object, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers: { 'cache-control': 'no-store', ...headers } })
}
