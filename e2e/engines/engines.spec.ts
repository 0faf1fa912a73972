import { rm } from 'node:fs/promises'
import { PAGE_NAMES } from '../../src/shell/pageNames.ts'
import { applyTextSpacing, findLayoutProblems, findTargetProblems } from '../layout.ts'
import { startServer } from '../server.ts'
import { copyApp, deploy, deployedVersions } from '../steps/deployment.ts'
import { historyWords } from '../steps/history.ts'
import { createPerson, createPhonePerson } from '../steps/person.ts'
import { words } from '../words.ts'
import { expect, test } from './fixtures.ts'
import {
  completeGoogleSignIn,
  fillCard,
  MENU_BUTTON_NAME,
  openSignedInHome,
  openSignedOutPage,
  payExampleTransfer,
  signOut,
  VISITOR_NAME,
  waitForSavedPdf,
} from './steps.ts'
import { KEYS, Visitor } from './visitor.ts'

const said = historyWords

test('a user signs up by email, sends money and gets a receipt', async ({ visitor, server }) => {
  const person = { ...createPerson(), name: VISITOR_NAME }
  await openSignedOutPage(visitor)
  await visitor.press({ kind: 'button', name: words.createInstead })
  await visitor.fill(words.name, person.name)
  await visitor.fill(words.email, person.email)
  await visitor.fill(words.password, person.password)
  await visitor.press({ kind: 'button', name: words.createAccount })
  await visitor.see({ kind: 'heading', name: words.verify })
  await visitor.open(await server.mailLink(person.email))
  await visitor.press({ kind: 'link', name: /Continuer/ })
  await visitor.see({ kind: 'heading', name: words.send })

  await payExampleTransfer(visitor)
  const [transfer, ...others] = await server.readTransactions(person.email)
  expect(others).toEqual([])
  expect(await server.listPaymentIntents(person.email)).toMatchObject([
    { amount: 10_000, status: 'succeeded' },
  ])
  await visitor.press({ kind: 'button', name: words.download })
  expect(await waitForSavedPdf(visitor)).toBe(`receipt-${transfer?.id}.pdf`)

  await visitor.press({ kind: 'button', name: words.done })
  await visitor.driver.reload()
  await visitor.press({ kind: 'button', name: /\+224 620/ })
  await visitor.press({ kind: 'button', name: words.close })
  await signOut(visitor)
  await visitor.fill(words.email, person.email)
  await visitor.fill(words.password, person.password)
  await visitor.press({ kind: 'button', name: words.signIn })
  await visitor.see({ kind: 'text', name: person.name.toLocaleUpperCase() })
})

test('a user signs up with a phone and signs in again', async ({ visitor, server }) => {
  const { phone } = createPhonePerson()
  await openSignedOutPage(visitor)
  await visitor.press({ kind: 'tab', name: words.phoneTab })
  await visitor.press({ kind: 'button', name: words.createInstead })
  await visitor.fill(words.name, VISITOR_NAME)
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
  await visitor.see({ kind: 'text', name: VISITOR_NAME.toLocaleUpperCase() })
})

test('a user signs up with Google in the installed app', async ({ visitor }) => {
  await openSignedOutPage(visitor)
  // Simulates an app on the home screen of an iPhone.
  await visitor.evaluate(() => void Object.defineProperty(navigator, 'standalone', { value: true }))
  await visitor.press({ kind: 'button', name: words.createInstead })
  await visitor.press({ kind: 'button', name: words.google })
  await completeGoogleSignIn(visitor, createPerson().email)
  await visitor.see({ kind: 'text', name: VISITOR_NAME.toLocaleUpperCase() })
})

test('home, history and receipt open offline, and a new version is installed once accepted', async ({
  driver,
}) => {
  const folder = await copyApp()
  const { server, stop } = await startServer({ SANDBOX_APP: folder })
  const visitor = new Visitor(driver, server.origin)
  await openSignedInHome(visitor, server)
  await payExampleTransfer(visitor)
  await visitor.press({ kind: 'button', name: words.done })
  await visitor.evaluate(async () => void (await navigator.serviceWorker.ready))
  await visitor.driver.reload()

  await test.step('a new version', async () => {
    await visitor.see({ kind: 'heading', name: words.send })
    await deploy(folder)
    await visitor.evaluate(async () => void (await (await navigator.serviceWorker.ready).update()))
    await visitor.press({ kind: 'button', name: words.update })
    const version = () => visitor.evaluate(() => document.documentElement?.dataset.version)
    await expect.poll(version).toBe(String(deployedVersions.get(folder)))
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
    expect(await waitForSavedPdf(visitor)).toMatch(/^receipt-.*\.pdf$/)
  })
  await rm(folder, { recursive: true })
})

test('a receipt is shared before the browser’s user activation expires', async ({ visitor, server }) => {
  await openSignedInHome(visitor, server)
  await payExampleTransfer(visitor)
  // Neither engine has a share sheet here; on a phone, the system refuses to share without a tap.
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
  await visitor.press({ kind: 'button', name: said.sharing })
  await visitor.press({ kind: 'button', name: said.share })
  await expect.poll(shared).toEqual(['application/pdf, tapped'])
  await visitor.press({ kind: 'button', name: said.picture })
  await expect.poll(shared).toEqual(['application/pdf, tapped', 'image/png, tapped'])
})

test('a user sends money using only the keyboard', async ({ visitor, server }, { project }) => {
  const person = await openSignedInHome(visitor, server)
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
  // In WebKit, the Tab key moves the focus out of a frame, but later key events still go to the frame.
  if (project.name === 'webkit') await visitor.press({ kind: 'button', name: words.pay })
  else {
    await visitor.tabTo({ kind: 'button', name: words.pay })
    await visitor.type(KEYS.enter)
  }
  await visitor.see({ kind: 'text', name: words.paid })
  expect(await server.readTransactions(person.email)).toHaveLength(1)
  await visitor.type(KEYS.escape)
  await visitor.expectAbsent({ kind: 'dialog', name: words.receipt })
  await visitor.tabTo({ kind: 'button', name: MENU_BUTTON_NAME }, [KEYS.shift])
  await visitor.type(KEYS.enter)
  await visitor.see({ kind: 'menuitem', name: words.signOut })
  await visitor.type(KEYS.escape)
  await visitor.expectAbsent({ kind: 'menuitem', name: words.signOut })
})

test('no screen overflows, cuts off text or has targets that are too small to tap', async ({
  visitor,
  server,
}) => {
  const problems: string[] = []
  const measure = async (screen: string) => {
    for (const wanted of WIDTHS) {
      const width = Math.max(wanted, visitor.driver.narrowest)
      await visitor.driver.resize(width, 800)
      expect(await visitor.evaluate(() => innerWidth)).toBe(width)
      const found = [...(await findLayoutProblems(visitor)), ...(await findTargetProblems(visitor))]
      const tight = await applyTextSpacing(visitor)
      found.push(...(await findLayoutProblems(visitor, { breaks: 'anywhere' })).map((one) => `loose: ${one}`))
      await tight()
      problems.push(...found.map((one) => `${screen} at ${width}: ${one}`))
    }
  }
  await openSignedOutPage(visitor)
  await measure('signed out')
  await visitor.press({ kind: 'tab', name: words.phoneTab })
  await measure('by phone')
  await openSignedInHome(visitor, server)
  await measure('home')
  await payExampleTransfer(visitor)
  await measure('receipt')
  for (const page of PAGE_NAMES.map((name) => `/?view=${name}`)) {
    await visitor.open(page)
    await visitor.see({ kind: 'button', name: MENU_BUTTON_NAME })
    await measure(page)
  }
  expect(problems).toEqual([])
})

const WIDTHS = [320, 360, 1280]
