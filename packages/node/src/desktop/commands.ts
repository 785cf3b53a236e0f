/**
 * Owns which program of a system does what a node has no sandbox for, with fixed words. Pure. What a call brings goes in
 * as one word after the options, or by standard input, and is never read as an option or as a program.
 */
import { posix } from 'node:path'

export type DesktopAction =
  | { readonly do: 'open'; readonly url: string }
  /** The picture is written to this file. */
  | { readonly do: 'capture-screen'; readonly file: string }
  | { readonly do: 'take-picture'; readonly file: string }
  | { readonly do: 'read-clipboard' }
  | { readonly do: 'write-clipboard'; readonly text: string }
  | { readonly do: 'notify'; readonly title: string; readonly text: string }
  | { readonly do: 'locate' }

export interface DesktopCommand {
  /** Found in the folders of the system; an absolute path where it has one place. */
  readonly program: string
  readonly args: readonly string[]
  readonly stdin?: string
  /** Whether its output is the answer. A program that stays behind to hold a clipboard never closes its own. */
  readonly answers: boolean
  /** It waits for a device or a signal of one. */
  readonly timeoutMs: number
  /** A browser that was not running becomes the program itself: after the time it is left alone. */
  readonly mayStay?: true
}

/** What the session of the node's owner is. */
export type DesktopSession = 'wayland' | 'x11' | 'none'

const quick = 15_000
const slow = 45_000

/** The first one whose program is there is used; none where the system has no way. */
export function desktopCommands(
  action: DesktopAction,
  system: { readonly platform: NodeJS.Platform; readonly session: DesktopSession },
): readonly DesktopCommand[] {
  switch (system.platform) {
    case 'linux':
      return onLinux(action, system.session)
    case 'darwin':
      return onMac(action)
    case 'win32':
      return onWindows(action)
    default:
      return []
  }
}

const command = (
  program: string,
  args: readonly string[],
  more: Partial<DesktopCommand> = {},
): DesktopCommand => ({
  program,
  args,
  answers: false,
  timeoutMs: quick,
  ...more,
})

function onLinux(action: DesktopAction, session: DesktopSession): readonly DesktopCommand[] {
  switch (action.do) {
    case 'open':
      return session === 'none'
        ? []
        : [command('xdg-open', [action.url], { timeoutMs: 5_000, mayStay: true })]
    case 'capture-screen':
      if (session === 'wayland') return [command('grim', ['-t', 'png', action.file])]
      if (session === 'none') return []
      return [
        command('scrot', ['--silent', '--overwrite', action.file]),
        command('import', ['-window', 'root', `png:${action.file}`]),
      ]
    case 'take-picture':
      return [
        command('fswebcam', ['--quiet', '--no-banner', '--jpeg', '90', action.file], { timeoutMs: slow }),
        command(
          'ffmpeg',
          ['-loglevel', 'error', '-nostdin', '-y', '-f', 'v4l2', '-i', camera, '-frames:v', '1', action.file],
          { timeoutMs: slow },
        ),
      ]
    case 'read-clipboard':
      if (session === 'wayland')
        return [command('wl-paste', ['--no-newline', '--type', 'text'], { answers: true })]
      return session === 'none'
        ? []
        : [command('xclip', ['-selection', 'clipboard', '-out'], { answers: true })]
    case 'write-clipboard':
      if (session === 'wayland') return [command('wl-copy', ['--type', 'text/plain'], { stdin: action.text })]
      if (session === 'none') return []
      return [command('xclip', ['-selection', 'clipboard', '-in'], { stdin: action.text })]
    case 'notify':
      return session === 'none'
        ? []
        : [command('notify-send', ['--app-name=Countersign', '--', action.title, escaped(action.text)])]
    case 'locate':
      return geoclue.map((program) => command(program, ['-t', '20'], { answers: true, timeoutMs: slow }))
  }
}

export const camera = '/dev/video0'

/** It comes with GeoClue and has a place of its own on each system. */
const geoclue = [
  '/usr/libexec/geoclue-2.0/demos/where-am-i',
  '/usr/lib/geoclue-2.0/demos/where-am-i',
  '/usr/lib/x86_64-linux-gnu/geoclue-2.0/demos/where-am-i',
] as const

/** A notification there may hold markup. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function onMac(action: DesktopAction): readonly DesktopCommand[] {
  switch (action.do) {
    case 'open':
      return [command('/usr/bin/open', [action.url])]
    case 'capture-screen':
      return [command('/usr/sbin/screencapture', ['-x', '-t', 'png', action.file])]
    case 'take-picture':
      return [command('imagesnap', ['-q', '-w', '1', action.file], { timeoutMs: slow })]
    case 'read-clipboard':
      return [command('/usr/bin/pbpaste', ['-Prefer', 'txt'], { answers: true })]
    case 'write-clipboard':
      return [command('/usr/bin/pbcopy', [], { stdin: action.text })]
    case 'notify':
      // The words are arguments of the script, and no part of it.
      return [
        command('/usr/bin/osascript', [
          '-e',
          'on run argv',
          '-e',
          'display notification (item 2 of argv) with title (item 1 of argv)',
          '-e',
          'end run',
          '--',
          action.title,
          action.text,
        ]),
      ]
    case 'locate':
      return [command('CoreLocationCLI', ['--json'], { answers: true, timeoutMs: slow })]
  }
}

function onWindows(action: DesktopAction): readonly DesktopCommand[] {
  switch (action.do) {
    case 'open':
      return [powershell('Start-Process -FilePath $in.url', { url: action.url })]
    case 'capture-screen':
      return [powershell(windowsScreen, { file: action.file })]
    case 'take-picture':
      return []
    case 'read-clipboard':
      return [{ ...powershell('Get-Clipboard -Raw', {}), answers: true }]
    case 'write-clipboard':
      return [powershell('Set-Clipboard -Value $in.text', { text: action.text })]
    case 'notify':
      return [powershell(windowsNotice, { title: action.title, text: action.text })]
    case 'locate':
      return [{ ...powershell(windowsPlace, {}), answers: true, timeoutMs: slow }]
  }
}

/** The script is fixed; what the call brings is data that it reads. */
function powershell(script: string, data: Readonly<Record<string, string>>): DesktopCommand {
  const read = '$in = [Console]::In.ReadToEnd() | ConvertFrom-Json'
  return command(
    'powershell.exe',
    ['-NoProfile', '-NonInteractive', '-Command', `$ErrorActionPreference = 'Stop'; ${read}; ${script}`],
    { stdin: asciiJson(data) },
  )
}

/** A console there reads by its own code page, so nothing but ASCII goes in. */
function asciiJson(data: Readonly<Record<string, string>>): string {
  return JSON.stringify(data).replaceAll(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

const windowsScreen = [
  'Add-Type -AssemblyName System.Windows.Forms, System.Drawing',
  '$area = [System.Windows.Forms.SystemInformation]::VirtualScreen',
  '$picture = New-Object System.Drawing.Bitmap $area.Width, $area.Height',
  '$drawing = [System.Drawing.Graphics]::FromImage($picture)',
  '$drawing.CopyFromScreen($area.Location, [System.Drawing.Point]::Empty, $area.Size)',
  '$picture.Save($in.file, [System.Drawing.Imaging.ImageFormat]::Png)',
].join('; ')

const windowsNotice = [
  'Add-Type -AssemblyName System.Windows.Forms, System.Drawing',
  '$notice = New-Object System.Windows.Forms.NotifyIcon',
  '$notice.Icon = [System.Drawing.SystemIcons]::Information',
  '$notice.Visible = $true',
  "$notice.ShowBalloonTip(10000, $in.title, $in.text, 'Info')",
  'Start-Sleep -Seconds 5',
  '$notice.Dispose()',
].join('; ')

const windowsPlace = [
  'Add-Type -AssemblyName System.Device',
  '$watcher = New-Object System.Device.Location.GeoCoordinateWatcher',
  '[void]$watcher.TryStart($false, [TimeSpan]::FromSeconds(20))',
  '$place = $watcher.Position.Location',
  "if ($place.IsUnknown) { throw 'The place is not known.' }",
  '@{ latitude = $place.Latitude; longitude = $place.Longitude; accuracy = $place.HorizontalAccuracy } | ConvertTo-Json -Compress',
].join('; ')

export interface Place {
  readonly latitude: number
  readonly longitude: number
  readonly accuracyMetres: number | null
}

/** Of what the program for it says, on any of the systems. */
export function placeIn(output: string): Place | undefined {
  const read = (...names: string[]) => {
    for (const name of names) {
      const found = new RegExp(String.raw`"?${name}"?\s*:\s*"?(-?\d+(?:[.,]\d+)?)`, 'i').exec(output)?.[1]
      if (found !== undefined) return Number(found.replace(',', '.'))
    }
    return undefined
  }
  const latitude = read('latitude')
  const longitude = read('longitude')
  if (latitude === undefined || longitude === undefined) return undefined
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return undefined
  return { latitude, longitude, accuracyMetres: read('accuracy', 'h_accuracy') ?? null }
}

/** The kind of file that a picture becomes there. */
export function pictureEnding(action: 'capture-screen' | 'take-picture'): 'png' | 'jpg' {
  return action === 'capture-screen' ? 'png' : 'jpg'
}

/** Programs without a place of their own are looked for in these folders, and never where a shell would. */
export function programFolders(platform: NodeJS.Platform): readonly string[] {
  switch (platform) {
    case 'darwin':
      return ['/usr/bin', '/usr/sbin', '/opt/homebrew/bin', '/usr/local/bin']
    case 'win32':
      return [String.raw`C:\Windows\System32\WindowsPowerShell\v1.0`]
    default:
      return ['/usr/bin', '/usr/local/bin', '/bin']
  }
}

export function isPlaced(program: string): boolean {
  return posix.isAbsolute(program)
}
