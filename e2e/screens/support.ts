import { openContact } from '../steps/pages.ts'
import { arrive } from './people.ts'
import { IN_APP, type ScreensOf } from './screen.ts'

export const SUPPORT_SCREENS: ScreensOf = {
  testedBy: ['settings'],
  at: IN_APP,
  screens: [
    {
      name: 'contact',
      async reach(stage) {
        await arrive(stage)
        // Not sooner: by its sign-in the app learns the time of the server, which is that of today.
        await stage.page.clock.setFixedTime(Date.UTC(2026, 10, 20, 10))
        await openContact(stage.page)
      },
      shows: ({ page }) => page.getByText(/Ouvert maintenant|Open now/),
    },
    {
      name: 'contact-closed',
      async reach(stage) {
        await arrive(stage)
        // Not sooner: by its sign-in the app learns the time of the server, which is that of today.
        await stage.page.clock.setFixedTime(Date.UTC(2026, 10, 20, 20))
        await openContact(stage.page)
      },
      shows: ({ page }) => page.getByText(/Fermé pour l’instant|Closed right now/),
    },
  ],
}
