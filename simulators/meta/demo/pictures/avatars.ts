import { circle, Drawing, darker, ellipse, lighter, path } from './drawing.ts';

interface Face {
  ground: string;
  skin: string;
  hair: string;
  /** Outline of the hair behind the head and in front of it, in a box of 400. */
  style: 'long' | 'bob' | 'short' | 'bun' | 'curly' | 'scarf' | 'bald';
  top: string;
  extra?: 'glasses' | 'beard' | 'earrings' | 'freckles';
}

const faces: Record<string, Face> = {
  maya: { ground: '#f4c9a8', skin: '#c98a5e', hair: '#2c1a14', style: 'long', top: '#e0674c', extra: 'earrings' },
  jonas: { ground: '#b9d3dd', skin: '#f0c3a0', hair: '#b5793a', style: 'short', top: '#33566b', extra: 'beard' },
  lucia: { ground: '#f6d98a', skin: '#e3ab80', hair: '#4b2a1a', style: 'bun', top: '#4d8061' },
  layla: { ground: '#d9c3e3', skin: '#d9a276', hair: '#7a4f8f', style: 'scarf', top: '#58406b' },
  noam: { ground: '#c7dcb6', skin: '#e9b78f', hair: '#33231a', style: 'curly', top: '#c1824a', extra: 'glasses' },
  grandma: { ground: '#efd0cf', skin: '#f3cdb0', hair: '#d9d5d2', style: 'bob', top: '#8a5a83', extra: 'glasses' },
  kwame: { ground: '#f1b97f', skin: '#7a4a2e', hair: '#1c1311', style: 'bald', top: '#2f6f73', extra: 'beard' },
  emoji: { ground: '#bfe0d2', skin: '#f5cfae', hair: '#c65a3a', style: 'bob', top: '#f08aa0', extra: 'freckles' },
  mei: { ground: '#cbd6f0', skin: '#f2cfa9', hair: '#1b1718', style: 'bob', top: '#d9483b' },
};

/** A follower's portrait; unknown names give undefined. */
export function drawFace(name: string): string | undefined {
  const face = faces[name];
  if (!face) return undefined;
  const d = new Drawing(`face ${name}`);
  const skin = d.radial([
    [0, lighter(face.skin, 0.3)],
    [0.6, face.skin],
    [1, darker(face.skin, 0.18)],
  ]);
  const hair = d.linear([
    [0, lighter(face.hair, 0.22)],
    [0.6, face.hair],
    [1, darker(face.hair, 0.3)],
  ]);
  d.add(
    `<rect width="400" height="400" fill="${d.radial([
      [0, lighter(face.ground, 0.5)],
      [1, face.ground],
    ])}"/>`,
  );
  d.add(hairBehind(face, hair));
  d.add(
    path(
      'M40 420C44 318 120 300 200 300C280 300 356 318 360 420Z',
      `fill="${d.linear([
        [0, lighter(face.top, 0.2)],
        [1, darker(face.top, 0.2)],
      ])}"`,
    ),
  );
  d.add(path('M162 250H238V306Q200 344 162 306Z', `fill="${darker(face.skin, 0.16)}"`));
  d.add(
    path(
      'M200 96C262 96 286 142 282 196C279 254 240 290 200 290C160 290 121 254 118 196C114 142 138 96 200 96Z',
      `fill="${skin}"`,
    ),
  );
  d.add(
    ellipse({ x: 148, y: 226 }, 20, 13, 'fill="#e0604c" opacity=".2"'),
    ellipse({ x: 252, y: 226 }, 20, 13, 'fill="#e0604c" opacity=".2"'),
  );
  for (const x of [166, 234])
    d.add(ellipse({ x, y: 192 }, 8, 10, 'fill="#2a1a14"'), circle({ x: x + 3, y: 188 }, 3, 'fill="#fff"'));
  d.add(
    path(
      'M150 168Q166 158 182 167M218 167Q234 158 250 168',
      `fill="none" stroke="${darker(face.hair, 0.2)}" stroke-width="6" stroke-linecap="round"`,
    ),
  );
  d.add(
    path(
      'M200 198Q192 222 202 224',
      `fill="none" stroke="${darker(face.skin, 0.35)}" stroke-width="4" stroke-linecap="round"`,
    ),
  );
  if (face.extra === 'beard')
    d.add(
      path(
        'M119 208C126 218 150 222 166 232Q200 222 234 232C250 222 274 218 281 208C278 262 240 294 200 294C160 294 122 262 119 208Z',
        `fill="${hair}"`,
      ),
    );
  d.add(
    path(
      'M172 246Q200 272 228 246Q200 254 172 246Z',
      'fill="#fff" stroke="#a23b34" stroke-width="4" stroke-linejoin="round"',
    ),
  );
  d.add(hairInFront(face, hair));
  d.add(extras(face));
  return d.toSvg(400);
}

function hairBehind(face: Face, hair: string): string {
  if (face.style === 'long')
    return path(
      'M200 62C300 62 318 150 312 240C310 300 330 340 334 372H66C70 340 90 300 88 240C82 150 100 62 200 62Z',
      `fill="${hair}"`,
    );
  if (face.style === 'bob')
    return path(
      'M200 66C300 66 312 150 306 230C304 262 296 278 284 284H116C104 278 96 262 94 230C88 150 100 66 200 66Z',
      `fill="${hair}"`,
    );
  if (face.style === 'bun') return circle({ x: 200, y: 62 }, 44, `fill="${hair}"`);
  if (face.style === 'scarf')
    return path(
      'M200 56C312 56 322 170 308 250C312 320 340 350 346 420H54C60 350 88 320 92 250C78 170 88 56 200 56Z',
      `fill="${hair}"`,
    );
  if (face.style === 'curly')
    return [
      [120, 130],
      [140, 96],
      [176, 76],
      [216, 74],
      [254, 92],
      [282, 128],
      [110, 168],
      [290, 168],
    ]
      .map(([x, y]) => circle({ x: x!, y: y! }, 34, `fill="${hair}"`))
      .join('');
  return '';
}

function hairInFront(face: Face, hair: string): string {
  switch (face.style) {
    case 'long':
      return path(
        'M112 214C104 120 150 84 204 84C258 84 296 122 288 214C276 170 254 140 214 122C190 150 130 156 112 214Z',
        `fill="${hair}"`,
      );
    case 'bob':
      return path(
        'M110 206C102 116 150 82 200 82C250 82 298 116 290 206C282 168 268 148 250 136Q200 152 152 136C134 148 118 168 110 206Z',
        `fill="${hair}"`,
      );
    case 'bun':
      return path(
        'M114 186C112 116 152 84 200 84C248 84 288 116 286 186C272 150 246 122 200 122C154 122 128 150 114 186Z',
        `fill="${hair}"`,
      );
    case 'short':
      return path(
        'M114 188C104 112 150 74 206 76C266 78 296 118 286 188C280 166 272 150 262 138Q224 146 176 126C150 136 124 152 114 188Z',
        `fill="${hair}"`,
      );
    case 'curly':
      return [
        [130, 140],
        [158, 116],
        [192, 106],
        [226, 110],
        [256, 128],
        [274, 150],
      ]
        .map(([x, y]) => circle({ x: x!, y: y! }, 24, `fill="${hair}"`))
        .join('');
    case 'scarf':
      return path(
        'M108 250C96 130 140 78 200 78C260 78 304 130 292 250C290 300 250 330 200 330C150 330 110 300 108 250ZM200 110C158 110 134 144 134 196C134 250 162 284 200 284C238 284 266 250 266 196C266 144 242 110 200 110Z',
        `fill="${hair}" fill-rule="evenodd"`,
      );
    default:
      return path('M130 150Q150 104 200 102Q176 116 150 150Z', 'fill="#fff" opacity=".16"');
  }
}

function extras(face: Face): string {
  if (face.extra === 'glasses')
    return '<g fill="#fff" fill-opacity=".18" stroke="#3a2b26" stroke-width="6"><circle cx="166" cy="194" r="28"/><circle cx="234" cy="194" r="28"/><path d="M194 190Q200 184 206 190" fill="none"/></g>';
  if (face.extra === 'earrings')
    return circle({ x: 118, y: 236 }, 9, 'fill="#f2c14e"') + circle({ x: 282, y: 236 }, 9, 'fill="#f2c14e"');
  if (face.extra === 'freckles')
    return [
      [140, 214],
      [152, 220],
      [160, 212],
      [240, 212],
      [250, 220],
      [260, 214],
    ]
      .map(([x, y]) => circle({ x: x!, y: y! }, 2.6, 'fill="#b5673a" opacity=".7"'))
      .join('');
  return '';
}

/** The creator's mark: a golden spoon on deep green. */
export function drawSpoonMark(ground = '#1f4d3f', metal = '#e9bd5a'): string {
  const d = new Drawing('mark');
  d.add(
    `<rect width="400" height="400" fill="${d.radial([
      [0, lighter(ground, 0.22)],
      [1, ground],
    ])}"/>`,
  );
  d.add(circle({ x: 200, y: 200 }, 158, `fill="none" stroke="${metal}" stroke-width="4" opacity=".55"`));
  const fill = d.linear([
    [0, lighter(metal, 0.65)],
    [0.5, metal],
    [1, darker(metal, 0.35)],
  ]);
  d.add(
    `<g transform="rotate(38 200 200)"><path d="M200 66C246 66 262 122 254 164C248 194 222 206 212 214L216 330Q216 346 200 346Q184 346 184 330L188 214C178 206 152 194 146 164C138 122 154 66 200 66Z" fill="${fill}"/>${ellipse({ x: 200, y: 136 }, 36, 52, `fill="${darker(metal, 0.3)}" opacity=".5"`)}${ellipse({ x: 190, y: 124 }, 22, 36, `fill="${lighter(metal, 0.7)}" opacity=".5"`)}</g>`,
  );
  d.add(
    path('M92 286C128 276 144 300 140 330C110 330 92 314 92 286Z', 'fill="#7fb069"'),
    path('M96 290Q120 304 138 328', 'fill="none" stroke="#d5ecc1" stroke-width="3"'),
  );
  return d.toSvg(400);
}
