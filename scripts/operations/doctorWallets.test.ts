import { describe, expect, test } from 'vitest'
import { testInEmptyWorld, world } from '../../netlify/testing/emptyWorld.ts'
import { wallets } from './doctor.ts'

testInEmptyWorld()

describe('wallets', () => {
  const DOMAIN = 'pay.example.com'
  const ask = () => wallets({ context: world.context, site: `https://${DOMAIN}` })
  const offered = (...names: readonly string[]) =>
    names.map((name) => ({
      verdict: 'good',
      said: `${name} is shown on ${DOMAIN} to devices that have it.`,
    }))

  test('are shown where their domain is registered and enabled; elsewhere it is said how, and nothing is wrong', async () => {
    const hint = {
      verdict: 'good',
      said: `Apple Pay and Google Pay are shown to nobody: ${DOMAIN} is not registered for them.`,
      remedy: expect.stringMatching(/Payment method domains, add and enable pay\.example\.com/),
    }
    expect(await ask()).toEqual([hint])
    const { paymentMethodDomains: domains } = world.context.stripe
    const { id } = await domains.create({ domain_name: DOMAIN })
    expect(await ask()).toEqual(offered('Apple Pay', 'Google Pay'))
    await domains.update(id, { enabled: false })
    expect(await ask()).toEqual([hint])
  })

  test('are told by name when one of them is not active there', async () => {
    await world.context.stripe.paymentMethodDomains.create({ domain_name: DOMAIN })
    const dump = world.sandbox.stripe.dump()
    for (const [, domain] of dump.paymentMethodDomains) domain.apple_pay = { status: 'inactive' }
    world.sandbox.stripe.load(dump)
    expect(await ask()).toEqual([
      expect.objectContaining({
        verdict: 'good',
        said: `Apple Pay is shown to nobody on ${DOMAIN}: inactive.`,
      }),
      ...offered('Google Pay'),
    ])
  })
})
