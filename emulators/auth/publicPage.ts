import { html } from 'hono/html'
import type { Language } from './state.ts'

export const renderPublicPage = (language: Language, title: string, content: unknown) => html`<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="icon" href="/icon.svg" type="image/svg+xml" />
    <title>${title}</title>
    <style>
      :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
      body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: Canvas; color: CanvasText }
      main { box-sizing: border-box; width: min(26rem, 100%); padding: 1.5rem }
      h1 { margin: 0 0 .5rem; font-size: 1.5rem; line-height: 1.25 }
      h2 { margin: 1rem 0 .5rem; font-size: 1.125rem; line-height: 1.25 }
      p { margin: 0 0 1rem; overflow-wrap: anywhere }
      label { display: grid; gap: .25rem; margin-bottom: 1rem }
      input, button, .button { box-sizing: border-box; padding: .625rem 1rem; font: inherit; border-radius: .5rem }
      input { border: 1px solid GrayText; background: Field; color: FieldText }
      button, .button { display: inline-block; border: 0; background: #1d4ed8; color: #fff; text-decoration: none }
      .choice { display: grid; width: 100%; margin-bottom: .5rem; text-align: start; overflow-wrap: anywhere }
      .quiet { border: 1px solid GrayText; background: Canvas; color: CanvasText }
      :focus-visible { outline: 3px solid #60a5fa; outline-offset: 2px }
    </style>
  </head>
  <body>
    <main>
      ${content}
    </main>
  </body>
</html>`
