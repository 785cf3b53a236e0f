import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { usualRetention } from '@countersign/contract'
import { homePaths, rememberPort } from '@countersign/contract/node'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readConfig } from './config.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'countersign-config-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const read = (environment: Readonly<Record<string, string>>) =>
  readConfig({ COUNTERSIGN_HOME: home, ...environment }, {})

/** Without the prefix. */
const modelIn = (environment: { MODEL?: string; PROVIDER?: string; URL?: string; KEY?: string }, rest = {}) =>
  read({
    COUNTERSIGN_MODEL: environment.MODEL ?? 'm',
    ...Object.fromEntries(
      Object.entries(environment).flatMap(([name, value]) =>
        name === 'MODEL' ? [] : [[`COUNTERSIGN_MODEL_${name}`, value]],
      ),
    ),
    ...rest,
  }).model

const openaiKey = { OPENAI_API_KEY: 'sk-of-the-kind-0123' }
const refused = (words: string) =>
  expect.objectContaining({ code: 'config_invalid', message: expect.stringContaining(words) as string })

describe('the address of the configured model', () => {
  test.each([
    'http://127.0.0.1:8080/v1',
    'http://192.168.1.5:1234/v1',
    'http://box.local/v1',
    'https://models.example.org/v1',
  ])('may be %s', (URL) => {
    expect(modelIn({ URL })).toEqual({ provider: 'openai-compatible', model: 'm', url: URL })
  })

  test.each([
    ['http://models.example.org/v1', 'plain http'],
    ['http://8.8.8.8/v1', 'plain http'],
    ['http://127.0.0.1.example.org/v1', 'plain http'],
    ['https://me:secret@models.example.org/v1', 'user name'],
    ['ftp://127.0.0.1/v1', 'not an http'],
  ])('may not be %s', (URL, words) => {
    expect(() => modelIn({ URL, KEY: 'sk-0123456789' })).toThrow(refused(words))
    try {
      modelIn({ URL, KEY: 'sk-0123456789' })
    } catch (error) {
      expect(error).toMatchObject({ next: expect.stringContaining('COUNTERSIGN_MODEL_URL') as string })
      expect(JSON.stringify(error)).not.toContain('me:secret')
    }
  })

  test('needs none for a kind that is at one place', () => {
    expect(modelIn({ PROVIDER: 'openai' })).toEqual({ provider: 'openai', model: 'm' })
  })
})

describe('the key of the configured model', () => {
  test('is the one of its kind at the place of its kind, whatever the path there', () => {
    expect(modelIn({ PROVIDER: 'openai' }, openaiKey)?.key).toBe(openaiKey.OPENAI_API_KEY)
    const URL = 'https://api.openai.com/v2/'
    expect(modelIn({ PROVIDER: 'openai', URL }, openaiKey)).toMatchObject({
      url: 'https://api.openai.com/v2',
      key: openaiKey.OPENAI_API_KEY,
    })
  })

  test.each(['https://api.openai.com.example.org/v1', 'https://api.openai.com:8443/v1'])(
    'is not the one of its kind at %s',
    (URL) => {
      expect(() => modelIn({ PROVIDER: 'openai', URL }, openaiKey)).toThrow(
        refused('no key for that address'),
      )
      expect(() => modelIn({ PROVIDER: 'openai', URL, KEY: '' }, openaiKey)).toThrow(refused('no key'))
      expect(modelIn({ PROVIDER: 'openai', URL, KEY: 'sk-of-that-place' }, openaiKey)?.key).toBe(
        'sk-of-that-place',
      )
    },
  )

  test('may be missing nearby, and for a kind that needs none, and is then not taken from elsewhere', () => {
    const near = modelIn({ PROVIDER: 'openai', URL: 'http://127.0.0.1:4000/v1' }, openaiKey)
    expect(near).toEqual({ provider: 'openai', model: 'm', url: 'http://127.0.0.1:4000/v1' })
    expect(modelIn({ URL: 'https://models.example.org/v1' }, openaiKey)).not.toHaveProperty('key')
  })

  test('is the one that is given for it before that of its kind', () => {
    expect(modelIn({ PROVIDER: 'openai', KEY: 'sk-mine' }, openaiKey)?.key).toBe('sk-mine')
  })
})

test('npm sees where programs, its settings and the network are, and no key', () => {
  const seen = {
    PATH: '/bin',
    HOME: '/home/me',
    https_proxy: 'http://proxy:3128',
    NO_PROXY: 'localhost',
    NODE_EXTRA_CA_CERTS: '/ca.pem',
    npm_config_registry: 'https://npm.example.org',
  }
  const unseen = { ...openaiKey, COUNTERSIGN_MODEL_KEY: 'sk-mine', NODE_OPTIONS: '--inspect', MY_PATH: '/x' }
  expect(read({ ...seen, ...unseen }).npm).toEqual(seen)
})

describe('the port', () => {
  test('is the usual one, which nobody named', () => {
    expect(read({})).toMatchObject({ port: 7347, portNamed: false })
  })

  test('is the last one of this home, until one is named', () => {
    rememberPort(homePaths({ COUNTERSIGN_HOME: home }, process.platform), 7520)
    expect(read({})).toMatchObject({ port: 7520, portNamed: false })
    expect(read({ COUNTERSIGN_PORT: '7600' })).toMatchObject({ port: 7600, portNamed: true })
  })
})

describe('what is wrong with the settings', () => {
  const wrongFile = (text: string) => {
    const { config } = homePaths({ COUNTERSIGN_HOME: home }, process.platform)
    mkdirSync(dirname(config), { recursive: true })
    writeFileSync(config, text)
  }

  test('is said in words, with what was probably meant', () => {
    wrongFile('{"prot": 7347}')
    expect(() => read({})).toThrow(refused('`prot` is not a setting. Did you mean `port`?'))
  })

  test('retention is that of the kernel where nothing is said', () => {
    expect(read({}).retention).toEqual(usualRetention)
  })
})

describe('the rates of calls', () => {
  test('are 60 a minute for all tools together until the operator says otherwise', () => {
    expect(read({}).rates).toEqual({ all: 60, tools: {} })
    expect(read({ COUNTERSIGN_RATES: '' }).rates).toEqual({ all: 60, tools: {} })
    expect(read({ COUNTERSIGN_RATES: 'all=120, execute_shell=20' }).rates).toEqual({
      all: 120,
      tools: { execute_shell: 20 },
    })
    expect(read({ COUNTERSIGN_RATES: 'execute_shell=20' }).rates.all).toBe(60)
  })

  test.each(['all=0', 'all', 'all=many', 'all=-1', 'a b=3'])('cannot be %s', (text) => {
    expect(() => read({ COUNTERSIGN_RATES: text })).toThrow(refused('rates'))
  })
})
