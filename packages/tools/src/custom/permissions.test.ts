import { describe, expect, it } from 'vitest'
import { builtinTools } from '../index.ts'
import { customTools } from './index.ts'
import { accessOf, callableWith, permissions, refusalOf } from './permissions.ts'

describe('the permissions of a program', () => {
  it('know every tool that there is, and open no hidden one', () => {
    for (const { name, hidden } of [...builtinTools, ...customTools]) {
      const location = accessOf(name)
      expect(location, name).toBeDefined()
      if (hidden) expect(location, name).toBe('never')
    }
  })

  it('open no tool that there is not', () => {
    const there = new Set([...builtinTools, ...customTools].map(({ name }) => name))
    expect(callableWith(permissions).filter((name) => !there.has(name))).toEqual([])
  })

  it('open their own tools and no others', () => {
    const samples = {
      network: 'http_request',
      filesystem: 'write_file',
      database: 'add_task',
      shell: 'execute_shell',
      email: 'send_email',
      scheduling: 'create_scheduled_task',
    }
    for (const permission of permissions) {
      const refusal = refusalOf([permission])
      for (const [needed, tool] of Object.entries(samples)) {
        if (needed === permission) expect(refusal(tool)).toBeNull()
        else expect(refusal(tool)).toContain(`needs the permission ${needed}`)
      }
    }
  })

  it('leave what touches nothing and other custom tools to everybody', () => {
    for (const tool of ['calculate', 'search_tools', 'my_own_tool']) expect(refusalOf([])(tool)).toBeNull()
    expect(callableWith([])).not.toContain('http_request')
    expect(callableWith(['network'])).toContain('http_request')
  })

  it('never open what makes or changes tools, stands for calls, or speaks to the operator', () => {
    const never = [
      'create_tool',
      'delete_custom_tool',
      'toggle_custom_tool',
      'run_custom_tool',
      'ask_operator',
    ]
    for (const tool of [...never, 'use_tool', 'batch_use_tool', 'restore_file', 'restore_custom_tool'])
      expect(refusalOf(permissions)(tool), tool).toContain('may not call')
  })

  it('know a tool by its one spelling', () => {
    for (const tool of [
      '',
      'Execute_Shell',
      ' execute_shell',
      'execute_shell\n',
      'execute-shell',
      'ехecute_shell',
    ])
      expect(refusalOf(permissions)(tool)).toContain('There is no tool')
  })
})
