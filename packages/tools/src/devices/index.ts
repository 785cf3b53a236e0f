import type { ToolDefinition } from '../definition.ts'
import { deviceCaptureScreen } from './device-capture-screen.ts'
import { deviceDeleteFile } from './device-delete-file.ts'
import { deviceListFiles } from './device-list-files.ts'
import { deviceLocation } from './device-location.ts'
import { deviceNotify } from './device-notify.ts'
import { deviceOpenAddress } from './device-open-address.ts'
import { deviceReadClipboard } from './device-read-clipboard.ts'
import { deviceReadFile } from './device-read-file.ts'
import { deviceRestoreFile } from './device-restore-file.ts'
import { deviceRunProgram } from './device-run-program.ts'
import { deviceTakePicture } from './device-take-picture.ts'
import { deviceWriteClipboard } from './device-write-clipboard.ts'
import { deviceWriteFile } from './device-write-file.ts'

export const deviceTools: readonly ToolDefinition[] = [
  deviceListFiles,
  deviceReadFile,
  deviceWriteFile,
  deviceDeleteFile,
  deviceRestoreFile,
  deviceRunProgram,
  deviceOpenAddress,
  deviceCaptureScreen,
  deviceTakePicture,
  deviceReadClipboard,
  deviceWriteClipboard,
  deviceNotify,
  deviceLocation,
]
