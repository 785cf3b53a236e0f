import { describe, expect, it } from 'vitest'
import { hostRun } from './host-run.ts'
import { hostRunOf, type NamedThing } from './host-run-match.ts'

const runs = (path: string, kind?: NamedThing) => hostRunOf(path, kind)?.runs

describe('what programs on the host run', () => {
  it.each([
    ['project/.git/config', 'by-itself'],
    ['project/.git', 'by-itself'],
    ['assets/HEAD', 'by-itself'],
    ['a/commondir', 'by-itself'],
    ['.envrc', 'by-itself'],
    ['a/.vscode/tasks.json', 'by-itself'],
    ['a/b.code-workspace', 'by-itself'],
    ['.husky/pre-commit', 'by-itself'],
    ['.bashrc', 'by-itself'],
    ['.claude/settings.json', 'by-itself'],
    ['a/Makefile', 'when-started'],
    ['package.json', 'when-started'],
    ['.github/workflows/ci.yml', 'when-started'],
    ['docs/AGENTS.md', 'when-started'],
    ['vite.config.ts', 'when-started'],
    ['vault/.obsidian/plugins/x/main.js', 'by-itself'],
    ['App.xcodeproj/project.pbxproj', 'by-itself'],
    ['BUILD', 'when-started'],
    ['a/__pycache__/x.cpython-314.pyc', 'when-started'],
    ['.env', 'when-started'],
    ['.proverc', 'when-started'],
    ['a/.what-nobody-knows/x', 'when-started'],
  ])('knows %s', (path, expected) => expect(runs(path)).toBe(expected))

  it.each([
    'notes.md',
    'src/main.ts',
    'src/hooks/use-thing.ts',
    'git/config',
    'a/.gitignore',
    '.gitattributes',
    '.editorconfig',
    'HEADLINES.md',
    'head.html',
    'project/readme.md',
    'config',
    'objects/x',
    'refs/heads/x',
    'packages/x/index.js',
    'makefiles/notes.txt',
  ])('leaves %s alone', (path) => expect(runs(path)).toBeUndefined())

  it.each([
    '.GIT/config',
    '.Git/hooks/x',
    '.g\u200cit/config',
    '.gi\ufefft/config',
    'git~1/config',
    '.git./config',
    '.git /config',
    '.git::$INDEX_ALLOCATION/config',
    'a\\.git\\config',
    '\uff0egit/config',
    'assets/head',
    '.hu\u017fky/pre-commit',
    '.EnvRC',
  ])('reads %j as the most forgiving file system would', (path) => expect(runs(path)).toBe('by-itself'))

  it('counts a folder that is moved by what it can bring along, and an empty one by its name', () => {
    expect(runs('a/.github', 'moved-folder')).toBe('when-started')
    expect(runs('a/.config', 'moved-folder')).toBe('by-itself')
    expect(runs('a/.vscode', 'moved-folder')).toBe('by-itself')
    expect(runs('project', 'moved-folder')).toBeUndefined()
    expect(runs('Makefile', 'new-folder')).toBeUndefined()
    expect(runs('a/.git/hooks', 'new-folder')).toBe('by-itself')
  })

  it('finds every pattern of the table in its own class', () => {
    for (const { paths, runs: wanted } of hostRun)
      for (const path of paths) {
        const example = path.replace('/**', '/x').replaceAll('[0-9]', '1').replaceAll('*', 'x')
        expect([example, runs(example)]).toEqual([example, wanted])
      }
  })
})
