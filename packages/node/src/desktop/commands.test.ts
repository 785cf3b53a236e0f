import { describe, expect, it } from 'vitest'
import { type DesktopAction, type DesktopSession, desktopCommands, placeIn } from './commands.ts'

const words = (action: DesktopAction, platform: NodeJS.Platform, session: DesktopSession = 'none') =>
  desktopCommands(action, { platform, session }).map(({ program, args }) => [program, ...args].join(' '))

const hostile = `--version"; rm -rf ~; $(id) \`id\` ' \n é`
const actions: readonly DesktopAction[] = [
  { do: 'open', url: 'https://example.org/' },
  { do: 'capture-screen', file: '/own/a.png' },
  { do: 'take-picture', file: '/own/a.jpg' },
  { do: 'read-clipboard' },
  { do: 'write-clipboard', text: hostile },
  { do: 'notify', title: hostile, text: hostile },
  { do: 'locate' },
]

describe('on Linux', () => {
  it('is done by the programs of the session', () => {
    const file = '/own/a.png'
    expect(words({ do: 'capture-screen', file }, 'linux', 'wayland')).toEqual([`grim -t png ${file}`])
    expect(words({ do: 'capture-screen', file }, 'linux', 'x11')).toEqual([
      `scrot --silent --overwrite ${file}`,
      `import -window root png:${file}`,
    ])
    expect(words({ do: 'read-clipboard' }, 'linux', 'wayland')).toEqual(['wl-paste --no-newline --type text'])
    expect(words({ do: 'read-clipboard' }, 'linux', 'x11')).toEqual(['xclip -selection clipboard -out'])
    expect(words({ do: 'open', url: 'https://example.org/' }, 'linux', 'x11')).toEqual([
      'xdg-open https://example.org/',
    ])
    expect(words({ do: 'take-picture', file }, 'linux')[0]).toContain('fswebcam')
  })

  it('is not done on a desktop where there is none', () => {
    for (const action of actions.filter((each) => each.do !== 'take-picture' && each.do !== 'locate'))
      expect(words(action, 'linux', 'none'), action.do).toEqual([])
  })

  it('shows markup of a notification as it is written', () => {
    const [shown] = desktopCommands(
      { do: 'notify', title: '-t', text: '<b>&' },
      { platform: 'linux', session: 'x11' },
    )
    expect(shown?.args.slice(-3)).toEqual(['--', '-t', '&lt;b&gt;&amp;'])
  })
})

describe('on a Mac', () => {
  it('is done by what comes with it, or with a well-known package', () => {
    expect(
      actions.flatMap(
        (action) => desktopCommands(action, { platform: 'darwin', session: 'none' })[0]?.program,
      ),
    ).toEqual([
      '/usr/bin/open',
      '/usr/sbin/screencapture',
      'imagesnap',
      '/usr/bin/pbpaste',
      '/usr/bin/pbcopy',
      '/usr/bin/osascript',
      'CoreLocationCLI',
    ])
    expect(words({ do: 'capture-screen', file: '/own/a.png' }, 'darwin')).toEqual([
      '/usr/sbin/screencapture -x -t png /own/a.png',
    ])
  })

  it('gives the words of a notification to a fixed script', () => {
    const [shown] = desktopCommands(
      { do: 'notify', title: hostile, text: 'x' },
      { platform: 'darwin', session: 'none' },
    )
    const at = shown?.args.indexOf('--') ?? -1
    expect(shown?.args.slice(at + 1)).toEqual([hostile, 'x'])
    expect(shown?.args.slice(0, at).join(' ')).not.toContain('rm -rf')
  })
})

describe('on Windows', () => {
  it('gives data to fixed scripts by standard input, in ASCII', () => {
    for (const action of actions) {
      for (const { program, args, stdin } of desktopCommands(action, {
        platform: 'win32',
        session: 'none',
      })) {
        expect(program).toBe('powershell.exe')
        expect(args.slice(0, 3)).toEqual(['-NoProfile', '-NonInteractive', '-Command'])
        expect(args.join(' ')).not.toContain('rm -rf')
        expect(stdin).toMatch(/^[\x20-\x7e]*$/)
      }
    }
    const [clip] = desktopCommands(
      { do: 'write-clipboard', text: hostile },
      { platform: 'win32', session: 'none' },
    )
    expect(JSON.parse(clip?.stdin ?? '')).toEqual({ text: hostile })
  })

  it('has no way to the camera', () => {
    expect(words({ do: 'take-picture', file: 'a' }, 'win32')).toEqual([])
  })
})

describe('a place', () => {
  it.each([
    ['Latitude:    52.520008°\nLongitude:   13.404954°\nAccuracy:    25.0 meters', 52.520008, 13.404954, 25],
    ['{"latitude":"-33.8","longitude":"151.2","h_accuracy":"65"}', -33.8, 151.2, 65],
    ['{"latitude":1.5,"longitude":2.5,"accuracy":10}', 1.5, 2.5, 10],
    ['Latitude: 1\nLongitude: 2', 1, 2, null],
  ])('is read from %j', (output, latitude, longitude, accuracyMetres) => {
    expect(placeIn(output)).toEqual({ latitude, longitude, accuracyMetres })
  })

  it.each(['', 'nothing', 'Latitude: 91\nLongitude: 2', 'Latitude: 9'])('is not read from %j', (output) => {
    expect(placeIn(output)).toBeUndefined()
  })
})

it('knows no other system', () => {
  for (const action of actions) expect(words(action, 'freebsd', 'x11')).toEqual([])
})
