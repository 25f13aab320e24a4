import { brotliCompressSync, gzipSync } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { contractInBrowser } from './contract-in-browser.ts';

/** What the program itself answers; everything else is the web app's. */
const SERVER_PATHS = ['/api', '/l', '/webhooks', '/phone', '/mailbox', '/pictures'];

/**
 * A few chunks of some size instead of a file per shared module: over HTTP/1.1 every file waits for its turn.
 * `react` and `core` are what every screen needs, `frame` what surrounds the main group and the head of its home,
 * `public` the login page, `form` every form. `boot.ts` must not need `core`: see there.
 */
const CHUNKS = [
  {
    name: 'boot',
    priority: 3,
    test: /vite\/preload-helper|rolldown\/runtime|web\/(boot|paths|shell\/(early-calls|breakpoints))\.|contract\/endpoint\./,
  },
  { name: 'react', priority: 2, test: /node_modules\/(react|react-dom|scheduler)\// },
  {
    name: 'core',
    priority: 2,
    test: new RegExp(
      [
        'node_modules/(react-router|zod)/',
        'node_modules/@tanstack/(query-core/build/modern/(?!infinite)|react-query/build/modern/(?!useInfinite))',
        'node_modules/lucide-react/dist/esm/(?!icons/)',
        'web/ui/(Alert|Button|Field|Spinner|Toaster|button-class|class-names|inputs|states|toast)\\.',
        'web/shell/(ButtonLink|Gate|Logo|PendingScreen|client|drafts|error-screens|guards|page-title|queries|query-client|session|toast-after-load)\\.',
        'contract/(errors|session|shapes)\\.',
      ].join('|'),
    ),
  },
  {
    name: 'frame',
    priority: 1,
    test: new RegExp(
      [
        'web/frames/(MainFrame|Frame|AccountTools|ExitAdminAccess)\\.',
        'web/features/home/Home(Page|Skeleton)\\.',
        'web/shell/(MainLayout|PageHeader|Sidebar|TopBar|UserMenu|idle|live|live-refresh|media|navigation|pages|sidebar-choice)\\.',
        'web/features/(banners|chat|refer)/',
        'web/features/flags/use-flags\\.',
        'web/features/reporting/(Statistics|consent|data-layer)\\.',
        'web/features/switching/(MovedScreen|creator-tabs|moved-words|switch-creator|use-pending-invites|use-session-watch)\\.',
        'web/ui/(Avatar|Badge|Card|Picture|RelativeTime|Skeleton|moment|relative-time)\\.',
        'contract/(automations|connections|figures|flags|interactions|outcomes|plans|posts|roles|settings|team|versions)\\.',
      ].join('|'),
    ),
  },
  {
    name: 'home-content',
    priority: 1,
    test: new RegExp(
      [
        'web/features/(home/(?!Home(Page|Skeleton)\\.)|activity/(?!mark-words)|catch-up/)',
        'web/features/link-guard/(BrokenLinkNotices|link-words|use-link-checks)\\.',
        'web/features/prepared-posts/(CaptionWarnings|PostLine|PreparedNotices|WakingPosts|WhichPostButton|prepared-words|use-prepared)\\.',
        'web/features/(connections/(ConnectButtons|PlatformMark)|posts/post-title)\\.',
        'web/ui/Figure\\.',
        'contract/(catch-up|home-notices|link-guard|prepared-posts|queue)\\.',
      ].join('|'),
    ),
  },
  {
    name: 'public',
    priority: 1,
    test: /web\/(shell\/PublicLayout|features\/people\/(LoginPage|MailboxHint|Panel|ResendConfirmation))\./,
  },
  { name: 'form', priority: 2, test: /node_modules\/(react-hook-form|@hookform)\/|web\/shell\/form\./ },
];

/** What the page itself asks for in its head. */
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
      rollupOptions: { output: { codeSplitting: { groups: CHUNKS } } },
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
 * What the browser should know from the page itself: the app's main code (`boot.ts` only imports it) and the face of plain English.
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
