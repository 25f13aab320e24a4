import { brotliCompressSync, gzipSync } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { contractInBrowser } from './contract-in-browser.ts';

/** Paths the program itself answers; everything else is the web app's. */
const SERVER_PATHS = ['/api', '/l', '/e', '/f', '/s', '/webhooks', '/phone', '/mailbox', '/pictures'];

/**
 * A few chunks of some size instead of a file per shared module: over HTTP/1.1 every file waits for its turn. Named are
 * the roots; all they import comes with them, except what a chunk of higher priority has. `react` and `core` are what
 * every screen needs, `frame` what surrounds the main group and the head of its home, `public` the login page, `form`
 * every form. `boot.ts` must not need `core`: see there. The budget of the first load: `e2e/client-bundle.e2e.ts`.
 */
const CHUNKS = [
  { name: 'boot', priority: 5, test: /vite\/preload-helper|rolldown\/runtime|web\/boot\./ },
  // Words that only a few screens say, of a file that nearly all of the contract imports.
  { name: 'quotas', priority: 5, test: /contract\/quotas\./ },
  { name: 'react', priority: 4, test: /node_modules\/(react|react-dom|scheduler)\// },
  {
    name: 'core',
    priority: 3,
    test: /web\/(routes|shell\/(ButtonLink|Gate|Logo|PendingScreen|page-title|query-client|session|toast-after-load)|ui\/(Alert|Field|Toaster|inputs))\./,
  },
  { name: 'frame', priority: 2, test: /web\/(frames\/MainFrame|features\/home\/HomePage)\.|contract\/flags\./ },
  { name: 'form', priority: 2, test: /node_modules\/(react-hook-form|@hookform)\/|web\/shell\/form\./ },
  // One file instead of ten: each name is in the list that every visitor loads.
  { name: 'icons', priority: 0, minShareCount: 2, test: /node_modules\/lucide-react\/dist\/esm\/icons\// },
  {
    name: 'link-parts',
    priority: 0,
    test: /web\/features\/(recipes\/(BringIn|MakeShoppable|RecipePicker|recipe-buttons)|libraries\/(use-library-form|LibrarySheet)|catch-up\/words|link-guard\/(BrokenLink|LinkState))\.|contract\/(link-in|automation-drafts|replies|stories|app-links|link-guard|meal-plans)\./,
  },
  {
    name: 'ui-parts',
    priority: 0,
    test: /contract\/(sites|welcome-series)\.|web\/(shell\/(history|first-time-zone|LeaveGuard|DraftParts|versioned-draft)|ui\/(CopyButton|Differences|Figure|Question|TagInput)|features\/(activity\/mark-words|people\/HandleField|home\/DayChart|newsletters\/TellSavers|home\/FirstLink|automations\/WordSuggestions|automations\/message-count|contacts\/use-segment-choices|figures\/CsvButtons|recipes\/figure-words|settings\/QrCode|newsletters\/(BroadcastBadge|Looks|Missing)|shops\/countries|meal-plans\/words|posts\/AsksFor|connections\/ConnectedAs|prepared-posts\/ListenTooButton))\./,
  },
  {
    name: 'admin-list',
    priority: 0,
    test: /web\/(features\/admin\/(AdminList|AdminArea|AuditPage|MoneyPage|filters)|frames\/AdminFrame)\.|contract\/admin\./,
  },
  { name: 'plans', priority: 0, test: /web\/features\/plans\// },
  {
    name: 'user-menu',
    priority: 0,
    test: /web\/(shell\/(UserMenuPopup|use-sign-out)|features\/switching\/(SwitchCreatorDialog|PendingInvitesDialog))\./,
  },
  { name: 'home-content', priority: 1, test: /web\/features\/home\/HomeContent\./ },
  {
    name: 'login-ways',
    priority: 0,
    test: /web\/features\/people\/(ForgotPasswordPage|PasswordResetPage|SignupPage|VerifyEmailPage)\./,
  },
  { name: 'public', priority: 1, test: /web\/(shell\/PublicLayout|features\/people\/LoginPage)\./ },
];

/** Files the page itself asks for in its head. */
const IN_HEAD = /^assets\/(rolldown-runtime|boot|main|core|react)-/;

export default defineConfig(() => {
  const target = `http://127.0.0.1:${process.env.PORT ?? '3000'}`;
  return {
    root: import.meta.dirname,
    base: '/',
    plugins: [react(), tailwindcss(), contractInBrowser(), headLinks(), precompress()],
    server: {
      proxy: Object.fromEntries(SERVER_PATHS.map((path) => [`^${path}(/|$|\\?)`, { target, changeOrigin: false }])),
    },
    build: {
      outDir: '../dist/web',
      emptyOutDir: true,
      // `light-dark()` is used as it stands; older browsers than these would need it translated.
      target: ['chrome123', 'safari17.5', 'firefox120'],
      modulePreload: {
        polyfill: false,
        resolveDependencies: (_file, deps, { hostId, hostType }) =>
          hostType === 'html' ? deps : worthPreloading(deps, hostId),
      },
      rollupOptions: {
        output: { codeSplitting: { groups: CHUNKS } },
        // To read `Contact.shape` does nothing but that.
        treeshake: { propertyReadSideEffects: false },
      },
    },
  };
});

/**
 * Of the files that an import needs, those that a link makes come earlier. Every link costs a slow phone a
 * millisecond or more, in the middle of its first drawing.
 */
function worthPreloading(deps: string[], host: string): string[] {
  const missing = deps.filter((file) => file !== host && !IN_HEAD.test(file));
  // The import itself asks for the only one.
  return missing.length > 1 ? missing : [];
}

/**
 * Preloads in the page itself: the app's main code (`boot.ts` only imports it) and the face of plain English.
 * The style sheet moves behind the static shell in the body, so that the shell is painted without waiting for it;
 * scripts still wait for the sheet, so nothing is ever drawn without it.
 */
function headLinks(): Plugin {
  return {
    name: 'head-links',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const files = Object.values(bundle);
        const main = files.find((file) => file.type === 'chunk' && file.facadeModuleId?.endsWith('/web/main.tsx'));
        const font = files.find((file) => /inter-basic.*\.woff2$/.test(file.fileName));
        if (main?.type !== 'chunk' || !font) throw new Error('head-links: no main chunk or no font in the build');
        const scripts = [main.fileName, ...main.imports]
          .filter((file) => !html.includes(file))
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'modulepreload', fetchpriority: 'low', crossorigin: true, href: `/${file}` },
            injectTo: 'head' as const,
          }));
        const sheets = html.match(/<link rel="stylesheet"[^>]*>/g) ?? [];
        const without = sheets.reduce((rest, sheet) => rest.replace(sheet, ''), html);
        return {
          html: without
            .replace('</body>', `${sheets.join('')}</body>`)
            // The shell and the sheet first: on a slow line scripts must not take their bandwidth.
            .replaceAll(/<(script type="module"|link rel="modulepreload")/g, '<$1 fetchpriority="low"'),
          tags: [
            ...scripts,
            {
              tag: 'link',
              attrs: {
                rel: 'preload',
                href: `/${font.fileName}`,
                as: 'font',
                type: 'font/woff2',
                crossorigin: true,
                fetchpriority: 'low',
              },
              injectTo: 'head' as const,
            },
          ],
        };
      },
    },
  };
}

/** Compressed once here, as hard as possible, instead of by the server for every visitor. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const [fileName, file] of Object.entries(bundle)) {
          if (!/\.(html|js|css|svg)$/.test(fileName)) continue;
          const source = file.type === 'chunk' ? file.code : file.source;
          this.emitFile({ type: 'asset', fileName: `${fileName}.br`, source: brotliCompressSync(source) });
          this.emitFile({ type: 'asset', fileName: `${fileName}.gz`, source: gzipSync(source, { level: 9 }) });
        }
      },
    },
  };
}
