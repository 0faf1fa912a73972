import { defineConfig } from 'vitest/config'

// A busy machine needs more than the default timeout.
export default defineConfig({ test: { name: 'emulators', testTimeout: 120_000, maxWorkers: '100%' } })
