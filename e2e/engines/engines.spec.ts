import { rm } from 'node:fs/promises'
import { PAGES } from '../../src/shell/pageNames.ts'
import { layoutProblems, looseText, targetProblems } from '../layout.ts'
import { startServer } from '../server.ts'
import { appCopy, deploy, versions } from '../steps/deployment.ts'
import { historyWords } from '../steps/history.ts'
import { somebody, somebodyWithPhone } from '../steps/people.ts'
import { words } from '../words.ts'
import { expect, test } from './fixtures.ts'
import { arrive, chooseGoogle, enter, fillCard, MENU, NAME, pay, saved, signOut } from './steps.ts'
import { KEYS, Visitor } from './visitor.ts'

const said = historyWords

test('somebody signs up by e-mail, sends money and holds a receipt', async ({ visitor, server }) => {
  const person = { ...somebody(), name: NAME }
  await arrive(visitor)
  await visitor.press({ kind: 'button', name: words.createInstead })
  await visitor.fill(words.name, person.name)
  await visitor.fill(words.email, person.email)
  await visitor.fill(words.password, person.password)
  await visitor.press({ kind: 'button', name: words.createAccount })
  await visitor.see({ kind: 'heading', name: words.verify })
  await visitor.open(await server.mailLink(person.email))
  await visitor.press({ kind: 'link', name: /Continuer/ })
  await visitor.see({ kind: 'heading', name: words.send })

  await pay(visitor)
  const [transfer, ...others] = await server.transactionsOf(person.email)
  expect(others).toEqual([])
  expect(await server.paymentIntentsOf(person.email)).toMatchObject([{ amount: 10_000, status: 'succeeded' }])
  await visitor.press({ kind: 'button', name: words.download })
  expect(await saved(visitor)).toBe(`receipt-${transfer?.id}.pdf`)

  await visitor.press({ kind: 'button', name: words.done })
  await visitor.driver.reload()
  await visitor.press({ kind: 'button', name: /\+224 620/ })
  await visitor.press({ kind: 'button', name: words.done })
  await signOut(visitor)
  await visitor.fill(words.email, person.email)
  await visitor.fill(words.password, person.password)
  await visitor.press({ kind: 'button', name: words.signIn })
  await visitor.see({ kind: 'text', name: person.name.toLocaleUpperCase() })
})

test('somebody signs up with a phone, and in again', async ({ visitor, server }) => {
  const { phone } = somebodyWithPhone()
  await arrive(visitor)
  await visitor.press({ kind: 'tab', name: words.phoneTab })
  await visitor.press({ kind: 'button', name: words.createInstead })
  await visitor.fill(words.name, NAME)
  await visitor.fill(words.phoneNumber, phone)
  await visitor.press({ kind: 'button', name: words.getCode })
  await visitor.see({ kind: 'text', name: new RegExp(`^${words.codeSent}`) })
  await visitor.fill(words.code, await server.smsCode(phone))
  await visitor.press({ kind: 'button', name: words.createAccount })
  await visitor.see({ kind: 'heading', name: words.send })

  await signOut(visitor)
  await visitor.press({ kind: 'tab', name: words.phoneTab })
  await visitor.fill(words.phoneNumber, phone)
  await visitor.press({ kind: 'button', name: words.getCode })
  await visitor.see({ kind: 'text', name: new RegExp(`^${words.codeSent}`) })
  await visitor.fill(words.code, await server.smsCode(phone))
  await visitor.press({ kind: 'button', name: words.signIn })
  await visitor.see({ kind: 'text', name: NAME.toLocaleUpperCase() })
})

test('somebody signs up with Google where the app stands alone', async ({ visitor }) => {
  await arrive(visitor)
  // As an iPhone tells it of an app on its home screen.
  await visitor.evaluate(() => void Object.defineProperty(navigator, 'standalone', { value: true }))
  await visitor.press({ kind: 'button', name: words.createInstead })
  await visitor.press({ kind: 'button', name: words.google })
  await chooseGoogle(visitor, somebody().email)
  await visitor.see({ kind: 'text', name: NAME.toLocaleUpperCase() })
})

test('home, history and receipt open without a network, and a new version is offered', async ({ driver }) => {
  const folder = await appCopy()
  const { server, stop } = await startServer({ SANDBOX_APP: folder })
  const visitor = new Visitor(driver, server.origin)
  await enter(visitor, server)
  await pay(visitor)
  await visitor.press({ kind: 'button', name: words.done })
  await visitor.evaluate(async () => void (await navigator.serviceWorker.ready))
  await visitor.driver.reload()

  await test.step('a new version', async () => {
    await visitor.see({ kind: 'heading', name: words.send })
    await deploy(folder)
    await visitor.evaluate(async () => void (await (await navigator.serviceWorker.ready).update()))
    await visitor.press({ kind: 'button', name: words.update })
    const version = () => visitor.evaluate(() => document.documentElement.dataset.version)
    await expect.poll(version).toBe(String(versions.get(folder)))
    await visitor.see({ kind: 'button', name: /\+224 620/ })
  })

  await test.step('no network', async () => {
    stop()
    await expect.poll(() => fetch(server.origin).catch(() => null)).toBeNull()
    await visitor.open('/')
    await visitor.see({ kind: 'heading', name: words.send })
    await visitor.press({ kind: 'link', name: said.all })
    await visitor.see({ kind: 'heading', name: said.history })
    await visitor.press({ kind: 'button', name: /\+224 620/ })
    await visitor.press({ kind: 'button', name: words.download })
    expect(await saved(visitor)).toMatch(/^receipt-.*\.pdf$/)
  })
  await rm(folder, { recursive: true })
})

test('a receipt is shared while the tap still counts', async ({ visitor, server }) => {
  await enter(visitor, server)
  await pay(visitor)
  // Neither engine has a sheet to share with here; on a phone the system refuses what no tap asks for.
  await visitor.evaluate(() => {
    const shared: string[] = []
    Object.assign(window, { shared })
    Object.assign(navigator, {
      canShare: () => true,
      share: async ({ files }: ShareData) => {
        const isTapped = navigator.userActivation?.isActive ?? true
        shared.push(`${files?.[0]?.type}, ${isTapped ? 'tapped' : 'too late'}`)
      },
    })
  })
  const shared = () => visitor.evaluate(() => (window as unknown as { shared: string[] }).shared)
  await visitor.press({ kind: 'button', name: said.share })
  await expect.poll(shared).toEqual(['application/pdf, tapped'])
  await visitor.press({ kind: 'button', name: said.picture })
  await expect.poll(shared).toEqual(['application/pdf, tapped', 'image/png, tapped'])
})

test('the main job is done with the keyboard alone', async ({ visitor, server }, { project }) => {
  const person = await enter(visitor, server)
  await visitor.tabTo({ kind: 'field', name: words.amount })
  await visitor.type('100')
  await visitor.tabTo({ kind: 'field', name: words.currency })
  await visitor.type(KEYS.down)
  await visitor.see({ kind: 'field', name: words.currency }, ({ value }) => value === 'CAD')
  await visitor.tabTo({ kind: 'field', name: words.phone })
  await visitor.type('620000000')
  await visitor.tabTo({ kind: 'field', name: words.confirmPhone })
  await visitor.type(KEYS.space)
  await visitor.tabTo({ kind: 'button', name: words.pay })
  await visitor.type(KEYS.enter)
  await fillCard(visitor)
  // In WebKit the tab key leads out of a frame and leaves the keys in it, on any page.
  if (project.name === 'webkit') await visitor.press({ kind: 'button', name: words.pay })
  else {
    await visitor.tabTo({ kind: 'button', name: words.pay })
    await visitor.type(KEYS.enter)
  }
  await visitor.see({ kind: 'text', name: words.paid })
  expect(await server.transactionsOf(person.email)).toHaveLength(1)
  await visitor.type(KEYS.escape)
  await visitor.missNot({ kind: 'dialog', name: words.receipt })
  await visitor.tabTo({ kind: 'button', name: MENU }, [KEYS.shift])
  await visitor.type(KEYS.enter)
  await visitor.see({ kind: 'menuitem', name: words.signOut })
  await visitor.type(KEYS.escape)
  await visitor.missNot({ kind: 'menuitem', name: words.signOut })
})

test('nothing sticks out, is cut off or too small to be tapped', async ({ visitor, server }) => {
  const problems: string[] = []
  const measure = async (screen: string) => {
    for (const wanted of WIDTHS) {
      const width = Math.max(wanted, visitor.driver.narrowest)
      await visitor.driver.resize(width, 800)
      expect(await visitor.evaluate(() => innerWidth)).toBe(width)
      const found = [...(await layoutProblems(visitor)), ...(await targetProblems(visitor))]
      const tight = await looseText(visitor)
      found.push(...(await layoutProblems(visitor, { breaks: 'anywhere' })).map((one) => `loose: ${one}`))
      await tight()
      problems.push(...found.map((one) => `${screen} at ${width}: ${one}`))
    }
  }
  await arrive(visitor)
  await measure('signed out')
  await visitor.press({ kind: 'tab', name: words.phoneTab })
  await measure('by phone')
  await enter(visitor, server)
  await measure('home')
  await pay(visitor)
  await measure('receipt')
  for (const page of PAGES.map((name) => `/${name}`)) {
    await visitor.open(page)
    await visitor.see({ kind: 'button', name: MENU })
    await measure(page)
  }
  expect(problems).toEqual([])
})

const WIDTHS = [320, 360, 1280]
