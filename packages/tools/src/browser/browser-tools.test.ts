import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type JsonObject, type Label, largestUndo, type Tier, ToolResult } from '@countersign/contract'
import { afterAll, describe, expect, it } from 'vitest'
import type { BrowserAction, BrowserResult, Failure } from '../capabilities.ts'
import { parseArgs, type ToolDefinition, toFacts } from '../definition.ts'
import { restoreFile } from '../files/restore-file.ts'
import { createBareWorkspace } from '../testing/bare-workspace.ts'
import { browserTools } from './index.ts'

const workspace = createBareWorkspace()
afterAll(() => workspace.remove())

const url = 'http://shop.test/cart'
const page: BrowserResult = {
  kind: 'seen',
  url: 'http://shop.test/cart?x=1',
  title: 'Cart',
  status: null,
  text: 'two shoes',
  truncated: false,
  image: null,
  notes: ['2 requests to other hosts were blocked: cdn.test.'],
}

function toolOf(name: string): ToolDefinition {
  const tool = browserTools.find((one) => one.name === name)
  if (!tool) throw new Error(name)
  return tool
}

/** Resolves and runs with a browser that gives this answer and keeps what it was asked. */
async function use(
  name: string,
  args: JsonObject,
  answer: BrowserResult | Failure = page,
): Promise<{ asked: BrowserAction[]; result: ToolResult }> {
  const tool = toolOf(name)
  const parsed = parseArgs(tool, args)
  const found = await workspace.resolve(tool, args)
  if (tool.runs !== 'executor' || parsed.kind !== 'args' || found.kind !== 'found') throw new Error(name)
  const asked: BrowserAction[] = []
  const browser = {
    act: async (action: BrowserAction) => {
      asked.push(action)
      return answer
    },
  }
  const capabilities = { ...workspace.capabilitiesFor(found.resources), browser }
  const result = await tool.run(parsed.args, capabilities, new AbortController().signal)
  return { asked, result: ToolResult.parse(result) }
}

describe('the browser tools', () => {
  it('stand in one group, and what they give is untrusted', () => {
    for (const tool of browserTools) {
      expect(tool).toMatchObject({
        group: 'browser',
        category: 'browser',
        sandbox: 'browser',
        egress: 'checked',
      })
      expect(toFacts(tool).output).toEqual({
        integrity: 'untrusted',
        confidentiality: 'public',
        sources: ['web'],
      })
    }
  })

  it('have the floors of what they do', () => {
    const floors: Record<string, Tier> = {
      browser_navigate: 2,
      browser_extract_text: 0,
      browser_extract_html: 0,
      browser_screenshot: 1,
      browser_click: 3,
      browser_fill: 3,
      browser_evaluate: 3,
    }
    expect(Object.fromEntries(browserTools.map(({ name, floor }) => [name, floor]))).toEqual(floors)
  })

  it('ask the browser for what they say, on the page that they name', async () => {
    const calls: [string, JsonObject, BrowserAction][] = [
      ['browser_navigate', { url }, { action: 'navigate', url }],
      ['browser_extract_text', { url }, { action: 'text', url, selector: null }],
      ['browser_extract_html', { url, selector: 'p' }, { action: 'html', url, selector: 'p' }],
      ['browser_click', { url, selector: '#buy' }, { action: 'click', url, selector: '#buy' }],
      [
        'browser_fill',
        { url, selector: '#n', value: '' },
        { action: 'fill', url, selector: '#n', value: '' },
      ],
      ['browser_evaluate', { url, code: '1\n+1' }, { action: 'evaluate', url, code: '1\n+1' }],
    ]
    for (const [name, args, action] of calls) {
      const { asked, result } = await use(name, args)
      expect(asked).toEqual([action])
      expect(result).toMatchObject({ ok: true, undo: null })
      expect(result.text).toBe(
        `Page: ${page.url}\nTitle: Cart\n2 requests to other hosts were blocked: cdn.test.\n\ntwo shoes`,
      )
      expect(await use(name, args, { kind: 'failed', reason: 'Elsewhere.' })).toMatchObject({
        result: { ok: false, text: 'Elsewhere.' },
      })
    }
  })

  it('say the status of a page, and cut a long one', async () => {
    const { result } = await use(
      'browser_navigate',
      { url },
      { ...page, status: 404, text: 'x'.repeat(20_001) },
    )
    expect(result.text).toContain('Status: 404')
    expect(result.text.endsWith(`${'x'.repeat(20_000)}\n[cut]`)).toBe(true)
    const extract = await use('browser_extract_text', { url }, { ...page, truncated: true })
    expect(extract.result.text.endsWith('two shoes\n[cut]')).toBe(true)
  })

  it('read without an effect outside, and send when a page may act', async () => {
    const effectOf = (name: string, args: JsonObject) => workspace.resolve(toolOf(name), { url, ...args })
    for (const name of ['browser_extract_text', 'browser_extract_html'])
      expect(await effectOf(name, {})).toMatchObject({
        resources: [{ type: 'url', host: 'shop.test', method: 'GET', redirects: 'refused' }],
        effects: [{ verb: 'read', scope: 'inside', outward: false, reversible: true, leaves: [] }],
      })
    for (const [name, args] of [
      ['browser_click', { selector: 'a' }],
      ['browser_fill', { selector: 'a', value: 'x' }],
      ['browser_evaluate', { code: '1' }],
    ] as const)
      expect(await effectOf(name, args)).toMatchObject({
        resources: [{ type: 'url', host: 'shop.test', method: 'POST', redirects: 'refused' }],
        effects: [{ verb: 'send', outward: true, reversible: false }],
      })
  })

  it('name every host that a page may reach, and refuse a closed one', async () => {
    const navigate = toolOf('browser_navigate')
    expect(
      await workspace.resolve(navigate, { url, also: ['cdn.test', 'api.test:8080', 'cdn.test'] }),
    ).toMatchObject({
      resources: [
        { host: 'shop.test', method: 'GET', redirects: 'same-host' },
        { host: 'cdn.test', port: 80, method: 'CONNECT', redirects: 'refused' },
        { host: 'api.test', port: 8080, method: 'CONNECT', redirects: 'refused' },
      ],
      effects: [{ verb: 'fetch' }, { verb: 'fetch' }, { verb: 'fetch' }],
    })
    expect(navigate.describe({ url, also: ['a', 'b'] })).toBe(`Open ${url} in the browser, with 2 more hosts`)
    expect(navigate.preview({ url, also: ['cdn.test'] })).toMatchObject({
      text: `${url}\nalso reaches cdn.test`,
    })
    expect(await workspace.resolve(navigate, { url, also: ['closed.test'] })).toMatchObject({
      kind: 'invalid',
    })
    for (const host of ['http://cdn.test', 'cdn.test/x', 'a@b', '*', 'cdn.test ', '', '[::1]'])
      expect(parseArgs(navigate, { url, also: [host] }).kind).toBe('invalid')
  })

  it('take no secret to a page', () => {
    const handle = '{{secret:token}}'
    expect(parseArgs(toolOf('browser_fill'), { url, selector: 'a', value: handle }).kind).toBe('invalid')
    expect(parseArgs(toolOf('browser_evaluate'), { url, code: `x = '${handle}'` }).kind).toBe('invalid')
    expect(parseArgs(toolOf('browser_navigate'), { url: `${url}?${handle}` }).kind).toBe('invalid')
    expect(parseArgs(toolOf('browser_fill'), { url, selector: 'a', value: '{{secret}}' }).kind).toBe('args')
  })
})

describe('an act on a page', () => {
  it('names on its card every host that the page may send to meanwhile', async () => {
    const more: Record<string, JsonObject> = {
      browser_click: { selector: '#buy' },
      browser_fill: { selector: '#n', value: 'x' },
      browser_evaluate: { code: '1' },
    }
    for (const [name, args] of Object.entries(more)) {
      const given = { url, also: ['pay.test', 'pay.test', 'cdn.test:8080'], ...args }
      const tool = toolOf(name)
      const found = await workspace.resolve(tool, given)
      if (found.kind !== 'found') throw new Error(found.reason)
      const sent = ['http://shop.test:80', 'http://pay.test:80', 'http://cdn.test:8080']
      expect(found.effects.map(({ object }) => object)).toEqual(sent)
      for (const effect of found.effects)
        expect(effect).toMatchObject({ verb: 'send', scope: 'boundary', outward: true })
      const parsed = parseArgs(tool, given)
      if (parsed.kind !== 'args') throw new Error(name)
      const card = JSON.stringify(tool.preview(parsed.args))
      for (const host of ['pay.test', 'cdn.test:8080']) expect(card).toContain(`also reaches ${host}`)
    }
  })
})

describe('what a page shows', () => {
  const own: Label = { integrity: 'operator', confidentiality: 'private', sources: [] }
  const told: BrowserResult = { ...page, image: new Uint8Array([137]), knows: own }

  it('is worth no more than what was put into it', async () => {
    for (const [name, args] of [
      ['browser_extract_text', { url }],
      ['browser_screenshot', { url, path: 'told.png' }],
    ] as const) {
      const { result } = await use(name, args, told)
      expect(result.label).toMatchObject({ integrity: 'untrusted', confidentiality: 'private' })
    }
  })
})

describe('browser_screenshot', () => {
  const shot: BrowserResult = { ...page, image: new Uint8Array([137, 80, 78, 71]) }
  const at = (path: string) => join(workspace.root, path)
  const undo = (result: ToolResult) =>
    workspace.use(restoreFile, JSON.parse(result.undo?.args ?? '') as JsonObject)

  it('saves the picture, and its undo leaves nothing', async () => {
    const { asked, result } = await use(
      'browser_screenshot',
      { url, path: 'shots/a.png', fullPage: true },
      shot,
    )
    expect(asked).toEqual([{ action: 'screenshot', url, fullPage: true }])
    expect([...readFileSync(at('shots/a.png'))]).toEqual([137, 80, 78, 71])
    expect(result.summary).toBe(`Saved a picture of ${url} as shots/a.png (4 B)`)
    await undo(result)
    expect(existsSync(at('shots'))).toBe(false)
  })

  it('puts back what it replaced', async () => {
    writeFileSync(at('b.png'), 'before')
    const { result } = await use('browser_screenshot', { url, path: 'b.png' }, shot)
    await undo(result)
    expect(readFileSync(at('b.png'), 'utf8')).toBe('before')
  })

  it('is a write that can be taken back, unless it replaces too much', async () => {
    const found = (path: string) => workspace.resolve(toolOf('browser_screenshot'), { url, path })
    expect(await found('c.png')).toMatchObject({
      resources: [{ type: 'url' }, { type: 'file', op: 'write', identity: 'absent' }],
      effects: [{ verb: 'read' }, { verb: 'write', scope: 'inside', reversible: true }],
    })
    writeFileSync(at('large.png'), Buffer.alloc(largestUndo + 1))
    expect(await found('large.png')).toMatchObject({ effects: [{}, { reversible: false }] })
  })

  it('writes nothing without a picture, outside the workspace, or over another kind of file', async () => {
    const failure = await use(
      'browser_screenshot',
      { url, path: 'd.png' },
      { kind: 'failed', reason: 'No page.' },
    )
    expect(failure.result).toMatchObject({ ok: false, text: 'No page.' })
    expect(existsSync(at('d.png'))).toBe(false)
    for (const path of ['/etc/a.png', '../a.png'])
      expect((await workspace.resolve(toolOf('browser_screenshot'), { url, path })).kind).toBe('invalid')
    for (const path of ['notes.md', 'png', '.bashrc'])
      expect(parseArgs(toolOf('browser_screenshot'), { url, path }).kind).toBe('invalid')
  })
})
