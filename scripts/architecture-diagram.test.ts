import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { architectureDiagram, diagramPath } from './architecture-diagram.ts'
import { packageArrows } from './boundaries.ts'
import { repository } from './workspace.ts'

it('draws each package once and each arrow once, whatever entry it goes to', () => {
  const drawn = architectureDiagram({ kernel: ['contract', 'contract/node', 'policy'], policy: [] })
  expect(drawn.split('\n').filter((line) => line.includes('-->'))).toEqual([
    '  kernel --> contract',
    '  kernel --> policy',
  ])
})

it('has no package without a place', () => {
  expect(() => architectureDiagram({ cellar: [] })).toThrow('no place for cellar')
})

it('is what stands in the repository', () => {
  expect(readFileSync(join(repository, diagramPath), 'utf8')).toBe(architectureDiagram(packageArrows))
})
