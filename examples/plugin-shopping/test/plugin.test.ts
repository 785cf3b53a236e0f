import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { callTool } from 'countersign/tools'
import tools from '../src/plugin.ts'

const dataFolder = mkdtempSync(join(tmpdir(), 'shopping-'))
after(() => rmSync(dataFolder, { recursive: true }))

test('keeps what was put on the list', async () => {
  assert.equal(await callTool(tools, 'list_items', {}, { dataFolder }), 'The list is empty.')
  await callTool(tools, 'add_item', { item: 'flour' }, { dataFolder })
  await callTool(tools, 'add_item', { item: 'eggs' }, { dataFolder })
  assert.equal(await callTool(tools, 'list_items', {}, { dataFolder }), '- flour\n- eggs')
})

test('says what it needs where it was not given a folder', async () => {
  await assert.rejects(callTool(tools, 'list_items', {}), /needs the folder/)
})
