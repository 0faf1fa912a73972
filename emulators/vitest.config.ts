import { defineConfig } from 'vitest/config'

// An emulator keeps its state in objects, so the files share their modules. A busy machine needs more than the
// default timeout.
export default defineConfig({
  test: { name: 'emulators', isolate: false, testTimeout: 120_000, maxWorkers: '100%' },
})
