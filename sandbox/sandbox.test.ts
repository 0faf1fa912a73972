import { importPKCS8, SignJWT } from 'jose'
import { expect, it } from 'vitest'
import { createSandbox, GOOGLE_CLIENT_ID, SANDBOX_PROJECT } from './sandbox.ts'

const ORIGIN = 'http://localhost:5173'
const TOOLKIT = '/identitytoolkit.googleapis.com/v1'

const create = () => createSandbox({ origin: () => ORIGIN })

type Made = ReturnType<typeof create>

const post = async ({ app }: Made, path: string, body: unknown, headers: Record<string, string> = {}) => {
  const response = await app.request(path, { method: 'POST', headers, body: JSON.stringify(body) })
  const text = await response.text()
  return { status: response.status, body: text && JSON.parse(text) }
}

const renderPage = async ({ app }: Made) => (await app.request('/sandbox')).text()

async function requestCode(sandbox: Made, phoneNumber: string) {
  const { token } = (await post(sandbox, '/sandbox/recaptcha/token', {})).body
  const body = { phoneNumber, recaptchaToken: token }
  return post(sandbox, `${TOOLKIT}/accounts:sendVerificationCode?key=sandbox`, body)
}

async function asAdministrator(sandbox: Made, signedBy: Made) {
  const { client_email: email, private_key: key } = JSON.parse(
    signedBy.functionSettings().FIREBASE_SERVICE_ACCOUNT ?? '',
  )
  const token = await new SignJWT({ iss: email, sub: email })
    .setProtectedHeader({ alg: 'RS256' })
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(await importPKCS8(key, 'RS256'))
  const path = `${TOOLKIT}/projects/${SANDBOX_PROJECT}/accounts:lookup`
  const body = { phoneNumber: ['+33612345678'] }
  return (await post(sandbox, path, body, { Authorization: `Bearer ${token}` })).status
}

it("the sandbox accepts only its own functions' service account as administrator", async () => {
  const sandbox = create()
  expect([await asAdministrator(sandbox, sandbox), await asAdministrator(sandbox, create())]).toEqual([
    200, 401,
  ])
})

it('loading a dump restores the functions’ key', async () => {
  const sandbox = create()
  const again = create()
  again.load(JSON.parse(JSON.stringify(sandbox.dump())))
  expect(again.functionSettings()).toEqual(sandbox.functionSettings())
  expect(await asAdministrator(again, sandbox)).toBe(200)
})

it("the settings that the sandbox serves name the functions' payout providers", async () => {
  const getProviders = async (sandbox: Made) =>
    ((await (await sandbox.app.request('/sandbox/settings.json')).json()) as Record<string, string>)
      .DELIVERY_PROVIDERS
  expect(await getProviders(createSandbox({ origin: () => ORIGIN, deliveryProviders: 'mtn,byHand' }))).toBe(
    'mtn,byHand',
  )
  expect(await getProviders(create())).toBeUndefined()
})

it('a fault in Identity Toolkit answers in that service’s error format', async () => {
  const sandbox = create()
  const on = `POST ${TOOLKIT}/accounts:sendVerificationCode`
  const message = 'QUOTA_EXCEEDED : Exceeded quota.'
  for (const what of [
    { kind: 'status', status: 400, message },
    { kind: 'status', status: 503 },
  ])
    await post(sandbox, '/sandbox/faults', { on, times: 1, what })
  const buildError = (code: number, text: string) => ({
    status: code,
    body: {
      error: { code, message: text, errors: [{ message: text, domain: 'global', reason: 'invalid' }] },
    },
  })
  expect(await requestCode(sandbox, '+33612345678')).toEqual(buildError(400, message))
  expect(await requestCode(sandbox, '+33612345678')).toEqual(buildError(503, 'A fault of the sandbox'))
  expect((await requestCode(sandbox, '+33612345678')).status).toBe(200)
})

it('the sandbox page shows the text messages and the Google accounts', async () => {
  const sandbox = create()
  expect(await renderPage(sandbox)).toContain('None yet. Sign in by phone in the app.')
  await requestCode(sandbox, '+33612345678')
  await post(sandbox, '/sandbox/google/accounts', { name: 'Awa <b>', email: 'awa@example.com' })
  const page = await renderPage(sandbox)
  expect(page).toMatch(/to \+33612345678<\/p>\s*<p>Votre code Passerelle : \d{6}<\/p>/)
  expect(page).toContain('<li>Awa &lt;b&gt; — awa@example.com</li>')
})

it('the sandbox can refuse sign-ups by phone until a reset', async () => {
  const sandbox = create()
  const turn = async () => {
    const value = /<button name="blocked" value="(\w+)"/.exec(await renderPage(sandbox))?.[1] ?? ''
    const response = await sandbox.app.request('/sandbox/sign-ups', {
      method: 'POST',
      body: new URLSearchParams({ blocked: value }),
    })
    expect([response.status, response.headers.get('location')]).toEqual([303, '/sandbox#sign-ups'])
    return sandbox.auth.phoneSignUpsBlocked()
  }
  expect([await turn(), await turn(), await turn()]).toEqual([true, false, true])
  sandbox.reset()
  expect(sandbox.auth.phoneSignUpsBlocked()).toBe(false)
})

it('the sandbox page shows the plans, and renews one', async () => {
  const sandbox = create()
  expect(await renderPage(sandbox)).toMatch(/Plans<\/h2>\s*<p class="quiet">None yet/)
  const headers = { authorization: 'Bearer sk_test_sandbox' }
  const ask = async (path: string, fields: Record<string, string>) => {
    const body = new URLSearchParams(fields)
    return (await sandbox.app.request(`/v1/${path}`, { method: 'POST', headers, body })).json()
  }
  const { id: customer } = await ask('customers', {})
  const { url } = await ask('checkout/sessions', {
    mode: 'subscription',
    customer,
    'line_items[0][price]': 'price_basic',
    'line_items[0][quantity]': '1',
    'subscription_data[metadata][tier]': 'basic',
    success_url: `${ORIGIN}/settings`,
  })
  const card = new URLSearchParams({ number: '4242424242424242', expiry: '12/40', cvc: '123' })
  await sandbox.app.request(new URL(url).pathname, { method: 'POST', body: card })
  expect(await renderPage(sandbox)).toMatch(/<\/code> basic: <strong>active<\/strong>/)
  const [before] = sandbox.stripe.subscriptions()
  const turn = { method: 'POST', body: new URLSearchParams({ customer }) }
  expect((await sandbox.app.request('/sandbox/plans', turn)).headers.get('location')).toBe('/sandbox#plans')
  const [after] = sandbox.stripe.subscriptions()
  expect(after?.items.data[0].current_period_start).toBe(before?.items.data[0].current_period_end)
})

it('the sandbox page shows MTN’s account and decides pending transfers', async () => {
  const sandbox = create()
  const settings = sandbox.functionSettings()
  const ask = async (path: string, headers: Record<string, string>, body?: object) => {
    const common = {
      'ocp-apim-subscription-key': settings.MTN_SUBSCRIPTION_KEY ?? '',
      'x-target-environment': settings.MTN_TARGET_ENVIRONMENT ?? '',
    }
    return post(sandbox, `/disbursement/${path}`, body, { ...common, ...headers })
  }
  const form = (path: string, fields: Record<string, string>) =>
    sandbox.app.request(path, { method: 'POST', body: new URLSearchParams(fields) })
  expect(await renderPage(sandbox)).toContain('No transfer yet.')
  const authorization = `Basic ${btoa(`${settings.MTN_API_USER}:${settings.MTN_API_KEY}`)}`
  const { access_token: token } = (await ask('token/', { authorization })).body
  const reference = '22222222-2222-4222-8222-222222222222'
  const sent = await ask(
    'v1_0/transfer',
    { authorization: `Bearer ${token}`, 'x-reference-id': reference, 'x-callback-url': `${ORIGIN}/callback` },
    { amount: '5', currency: 'GNF', payee: { partyIdType: 'MSISDN', partyId: '224660000453' } },
  )
  expect(sent.status).toBe(202)
  expect(await renderPage(sandbox)).toMatch(/5 GNF to 224660000453:\s*<strong>PENDING<\/strong>/)

  const decision = `/sandbox/mtn/transfers/${reference}`
  expect((await form(decision, { as: 'anything' })).status).toBe(404)
  const decided = await form(decision, { as: 'arrived' })
  expect([decided.status, decided.headers.get('location')]).toEqual([303, '/sandbox#mtn'])
  expect((await form('/sandbox/mtn/balance', { amount: '1000' })).status).toBe(303)
  expect((await form('/sandbox/mtn/balance', { amount: 'much' })).status).toBe(400)
  const page = await renderPage(sandbox)
  expect(page).toMatch(/<strong>SUCCESSFUL<\/strong> \d{10}/)
  expect(page).toContain('has <strong>100000995 GNF</strong>')
  expect(page).toContain('<code>+224 660 00 04 57</code> — fails because the wallet does not exist')

  await ask('v1_0/transfer', { authorization: `Bearer ${token}`, 'x-reference-id': 'x' })
  sandbox.reset()
  expect([sandbox.mtn.balance(), sandbox.mtn.transfers()]).toEqual([100_000_000, []])
  expect(sandbox.unknownCalls).toEqual([])
})

it('loading a dump restores sent codes, Google accounts and switches', async () => {
  const sandbox = create()
  await requestCode(sandbox, '+33612345678')
  await post(sandbox, '/sandbox/google/accounts', { name: 'Awa', email: 'awa@example.com' })
  await post(sandbox, '/sandbox/auth/blocking', { phoneSignUps: true })
  const again = create()
  again.load(JSON.parse(JSON.stringify(sandbox.dump())))
  expect(again.auth.messages()).toEqual(sandbox.auth.messages())
  expect(again.auth.googleAccounts()).toEqual(sandbox.auth.googleAccounts())
  expect(again.auth.phoneSignUpsBlocked()).toBe(true)
})

it('the sandbox page shows identity files, and approves or rejects them', async () => {
  const sandbox = create()
  const name = '1763640000000-0f8fad5b-d9cb-469f-a165-70867728950e'
  const file = { userId: 'ada', fullName: 'Ada <b>', status: 'pending', createdAt: '1' }
  const downloadUrl = `https://example.org/v0/b/b/o/identity%2Fada%2F${name}?alt=media&token=x`
  const owner = { authorization: 'Bearer owner' }
  const documents = `/v1/projects/${SANDBOX_PROJECT}/databases/(default)/documents`
  const fields = Object.entries({ ...file, downloadUrl }).map(([field, stringValue]) => [
    field,
    { stringValue },
  ])
  const write = await sandbox.app.request(`${documents}/files/${name}`, {
    method: 'PATCH',
    headers: owner,
    body: JSON.stringify({ fields: Object.fromEntries(fields) }),
  })
  expect(write.status).toBe(200)
  expect(await renderPage(sandbox)).toContain('Ada &lt;b&gt;')
  expect(await renderPage(sandbox)).toContain('is not stored')
  await sandbox.app.request(`/v0/b/b/o?name=identity%2Fada%2F${name}`, {
    method: 'POST',
    headers: {
      ...owner,
      'x-goog-upload-protocol': 'multipart',
      'content-type': 'multipart/related; boundary=x',
    },
    body: '--x\r\nContent-Type: application/json\r\n\r\n{}\r\n--x\r\nContent-Type: a/b\r\n\r\nhello\r\n--x--',
  })
  // The link leads to the project's own object, whatever URL the record has.
  expect(await renderPage(sandbox)).toMatch(
    new RegExp(`<a href="/v0/b/b/o/identity%2Fada%2F${name}\\?alt=media`),
  )
  expect(sandbox.storage.objects().map(({ content }) => content.toString())).toEqual(['hello'])

  const decide = (body: object, id = name) => post(sandbox, `/sandbox/identity-files/${id}`, body)
  const now = () => sandbox.firestore.documents()[`files/${name}`]
  expect((await decide({ decision: 'reject', item: 'document', reason: 'Flou' })).status).toBe(200)
  expect(now()).toMatchObject({ status: 'rejected', rejectedItem: 'document', rejectionReason: 'Flou' })
  expect((await decide({ decision: 'approve' })).status).toBe(200)
  expect(now()).toMatchObject({ status: 'approved', fullName: 'Ada <b>' })
  expect(now()).not.toHaveProperty('rejectedItem')
  expect((await decide({ decision: 'burn' })).status).toBe(400)
  expect((await decide({ decision: 'approve' }, 'none')).status).toBe(404)
})

it('the sandbox offers Google accounts to the app’s client', async () => {
  const request = new URLSearchParams({
    client_id: GOOGLE_CLIENT_ID,
    redirect_uri: `${ORIGIN}/google-sign-in.html`,
    response_type: 'id_token',
    scope: 'openid email profile',
    nonce: 'n',
    state: 's',
  })
  expect((await create().app.request(`/sandbox/google/auth?${request}`)).status).toBe(200)
})

const RULES = `/firebaserules.googleapis.com/v1/projects/${SANDBOX_PROJECT}`
const INDEXES = `/v1/projects/${SANDBOX_PROJECT}/databases/(default)/collectionGroups/-/indexes`

it('the sandbox reports its rules and indexes only to its administrator', async () => {
  const sandbox = create()
  const get = async (path: string, authorization?: string) => {
    const response = await sandbox.app.request(path, { headers: { ...(authorization && { authorization }) } })
    return { status: response.status, body: await response.json() }
  }
  const release = await get(`${RULES}/releases/cloud.firestore`, 'Bearer owner')
  expect(release).toMatchObject({
    status: 200,
    body: { name: `projects/${SANDBOX_PROJECT}/releases/cloud.firestore` },
  })
  const ruleset = await get(`/firebaserules.googleapis.com/v1/${release.body.rulesetName}`, 'Bearer owner')
  expect(ruleset.body.source.files[0].content).toContain('service cloud.firestore')
  expect(await get(`${RULES}/releases/firebase.storage/another-bucket`, 'Bearer owner')).toMatchObject({
    status: 404,
    body: { error: { status: 'NOT_FOUND' } },
  })
  const { indexes } = (await get(INDEXES, 'Bearer owner')).body
  expect(indexes[0]).toMatchObject({ queryScope: 'COLLECTION', state: 'READY' })
  expect(indexes[0].fields.at(-1).fieldPath).toBe('__name__')
  for (const path of [`${RULES}/releases/cloud.firestore`, INDEXES])
    expect(await get(path)).toMatchObject({ status: 403, body: { error: { status: 'PERMISSION_DENIED' } } })
  expect(sandbox.unknownCalls).toEqual([])

  expect((await post(sandbox, `${RULES}/rulesets`, {}, { authorization: 'Bearer owner' })).status).toBe(501)
  expect(sandbox.unknownCalls).toEqual([`rules: POST ${RULES}/rulesets`])
})
