/** Providers, models and secrets, set up in a real browser and found in the real gateway. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { narrow } from './browser.ts'
import type { PairedPage } from './pairing.ts'
import { openScene, type Scene } from './scene.ts'

let scene: Scene
let entered: PairedPage
let page: Page

beforeAll(async () => {
  scene = await openScene()
  entered = await scene.enter('/models')
  page = entered.page
})
afterAll(() => scene.close())

const dialog = (on = page) => on.getByRole('dialog')
const providers = () => scene.gateway.client.providers()
const providerNamed = async (name: string) => (await providers()).find((each) => each.name === name)
const go = (path: string) => page.goto(entered.at(path))
const card = (name: string) => page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) })

describe('a provider', () => {
  test('is added by keyboard alone, and says what is missing first', async () => {
    await go('/models')
    await page.getByRole('button', { name: 'Add provider' }).first().focus()
    await page.keyboard.press('Enter')
    await dialog().getByLabel('Provider').selectOption('openai-compatible')
    await dialog().getByLabel('Name').focus()
    await page.keyboard.type('shelf-server')
    await page.keyboard.press('Enter')
    await dialog().getByText('Enter the address of your server.').waitFor()
    expect(await providerNamed('shelf-server')).toBeUndefined()
    await dialog().getByLabel('Address').fill('http://127.0.0.1:9/v1')
    await page.keyboard.press('Enter')
    await card('shelf-server').waitFor()
    expect(await providerNamed('shelf-server')).toMatchObject({ url: 'http://127.0.0.1:9/v1', key: 'none' })
  })

  test('that does not answer says why, with what to do', async () => {
    await card('shelf-server').getByRole('button', { name: 'Test' }).click()
    await dialog().getByRole('button', { name: 'Test' }).click()
    await dialog().getByText('It did not answer as it should.').or(dialog().getByRole('alert')).waitFor()
    await page.keyboard.press('Escape')
  })

  test('answers words of one’s own', async () => {
    const [scripted] = await providers()
    await card(scripted?.name ?? '')
      .getByRole('button', { name: 'Test' })
      .click()
    await dialog().getByLabel('Your own words').fill('A line about rain')
    await dialog().getByRole('button', { name: 'Test' }).click()
    await dialog().getByText('You said: A line about rain').waitFor()
    await dialog()
      .getByText(/\d+ in, \d+ out/)
      .waitFor()
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
  })

  test('is changed, turned off and removed', async () => {
    const choose = async (item: string) => {
      await card('shelf-server').getByRole('button', { name: 'More' }).click()
      await page.getByRole('menuitem', { name: item }).click()
    }
    await choose('Change')
    await dialog().getByLabel('Order').fill('7')
    await dialog().getByRole('button', { name: 'Save' }).click()
    await expect.poll(async () => (await providerNamed('shelf-server'))?.priority).toBe(7)
    await dialog().waitFor({ state: 'detached' })
    await choose('Turn off')
    await expect.poll(async () => (await providerNamed('shelf-server'))?.enabled).toBe(false)
    await choose('Remove')
    await dialog().getByRole('button', { name: 'Remove' }).click()
    await expect.poll(() => providerNamed('shelf-server')).toBeUndefined()
  })
})

describe('a model', () => {
  test('is chosen for a use', async () => {
    await go('/models/uses')
    await page.getByRole('button', { name: 'Change the model for Summaries' }).click()
    await dialog().getByLabel('Chosen by').selectOption('cheapest')
    await dialog()
      .getByRole('button', { name: /^Remove .* from the list/ })
      .first()
      .click()
    await dialog().getByRole('button', { name: 'Save' }).click()
    const routeOf = async () =>
      (await scene.gateway.client.routes()).find(({ purpose }) => purpose === 'summaries')
    await expect.poll(routeOf).toMatchObject({ own: true, strategy: 'cheapest', models: [] })
  })

  test('has the price that the operator gives it, until that is taken back', async () => {
    await go('/models/prices')
    const [model] = await scene.gateway.client.models()
    const price = async () => (await scene.gateway.client.model(model?.ref ?? '')).price?.input
    const before = await price()
    const change = page.getByRole('button', { name: `Change the price of ${model?.ref}` })
    await change.click()
    await dialog().getByLabel('Input').fill('2.5')
    await dialog().getByLabel('Output').fill('10')
    await dialog().getByRole('button', { name: 'Save' }).click()
    await expect.poll(price).toBe(2.5)
    await dialog().waitFor({ state: 'detached' })
    await change.click()
    await dialog().getByRole('button', { name: 'Use the catalogue price again' }).click()
    await expect.poll(price).toBe(before)
  })
})

describe('a secret', () => {
  test('is stored, changed and removed by touch on a phone, and never shown', async () => {
    const hand = await scene.enter('/settings/secrets', { ...narrow, touch: true })
    const touched = hand.page
    await touched.getByRole('button', { name: 'Add secret' }).tap()
    await dialog(touched).getByLabel('Name').fill('github.token')
    await dialog(touched).getByLabel('Value', { exact: true }).fill('a-value-nobody-sees')
    await dialog(touched).getByLabel('May be sent to').fill('*.github.com')
    await dialog(touched).getByRole('button', { name: 'Store' }).tap()
    await dialog(touched).getByText('Give at least one exact host').waitFor()
    await dialog(touched).getByLabel('May be sent to').fill('api.github.com')
    await dialog(touched).getByRole('button', { name: 'Store' }).tap()
    const secrets = () => scene.gateway.client.secrets()
    await expect.poll(secrets).toMatchObject([{ name: 'github.token', destinations: [{ port: 443 }] }])
    await dialog(touched).waitFor({ state: 'detached' })
    expect(await touched.content()).not.toContain('a-value-nobody-sees')
    const choose = async (item: string) => {
      await touched.getByRole('button', { name: 'More' }).and(touched.locator('main *')).tap()
      await touched.getByRole('menuitem', { name: item }).tap()
    }
    await choose('Change value')
    await dialog(touched).getByLabel('New value').fill('another-value-9')
    await dialog(touched).getByRole('button', { name: 'Change value' }).tap()
    await expect.poll(async () => (await secrets())[0]?.rotatedAt).not.toBeNull()
    await dialog(touched).waitFor({ state: 'detached' })
    await choose('Remove')
    await dialog(touched).getByRole('button', { name: 'Remove' }).tap()
    await expect.poll(secrets).toEqual([])
  })
})
