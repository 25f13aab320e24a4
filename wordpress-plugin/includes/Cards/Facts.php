<?php
/**
 * What a page says about itself, read here and bounded as the hub takes it.
 *
 * @package CreatorHq
 */

namespace CreatorHq\Cards;

use CreatorHq\Gate\Lock;
use CreatorHq\Gate\LockedCards;

final class Facts {

	const MAX_INGREDIENTS = 200;
	const MAX_GROUPS      = 40;

	/** @param bool $in_groups As the creator's own: ingredients also in their groups, with the card's own names of lines, and of cards that are locked. */
	public static function of( int $id, string $recipe, bool $in_groups = false ): array {
		$post = $id ? get_post( $id ) : null;
		if ( ! $post ) {
			return array(
				'url'        => home_url( '/' ),
				'title'      => self::text( get_bloginfo( 'name' ), 500 ),
				'pictureUrl' => null,
				'recipe'     => null,
			);
		}
		$picture = get_the_post_thumbnail_url( $post, 'large' );
		$facts   = Cards::facts( $recipe, $post );
		if ( ! $in_groups && null !== $facts && '' !== LockedCards::who( $recipe, Lock::text( $post ) ) ) {
			// A mail goes to whoever typed an address.
			$facts['groups'] = array();
		}
		$groups  = null === $facts ? array() : self::groups( $facts['groups'] );
		$page    = array(
			'url'        => (string) get_permalink( $post ),
			'title'      => self::text( $post->post_title, 500 ),
			'pictureUrl' => $picture && strlen( $picture ) <= 2000 ? $picture : null,
			'recipe'     => null === $facts ? null : array(
				'name'         => self::text( '' === (string) $facts['name'] ? $post->post_title : $facts['name'], 500 ),
				'anchor'       => $facts['anchor'],
				'ingredients'  => array_slice( self::lines( $groups ), 0, self::MAX_INGREDIENTS ),
				'totalMinutes' => $facts['totalMinutes'] > 0 ? min( (int) $facts['totalMinutes'], 100000 ) : null,
				'yield'        => '' === self::text( (string) $facts['yield'], 200 ) ? null : self::text( (string) $facts['yield'], 200 ),
			) + ( $in_groups ? array( 'groups' => self::told( $groups ) ) : array() ),
		);
		// Its link in a mail opens it for subscribers; what is locked itself is not read here.
		return Lock::has_for( 'subscribers', Lock::text( $post ) ) ? $page + array( 'isLocked' => true ) : $page;
	}

	/** Plain text: no tags, no entities, no double spaces, at most so many characters. */
	public static function text( string $html, int $most ): string {
		$text = html_entity_decode( wp_strip_all_tags( $html ), ENT_QUOTES | ENT_HTML5, 'UTF-8' );
		$text = trim( (string) preg_replace( '/\s+/u', ' ', $text ) );
		return trim( (string) preg_replace( '/^(.{0,' . $most . '}).*$/us', '$1', $text ) );
	}

	/** As plain text, without what is empty. */
	private static function groups( array $groups ): array {
		$found = array();
		foreach ( $groups as $group ) {
			$lines = array();
			foreach ( $group['lines'] as $line ) {
				$text = self::text( $line['text'], 500 );
				if ( '' !== $text ) {
					$lines[] = array(
						'text'  => $text,
						'notes' => self::text( $line['notes'] ?? '', 500 ),
						'uid'   => self::text( $line['uid'] ?? '', 100 ),
					);
				}
			}
			if ( array() !== $lines ) {
				$found[] = array(
					'name'  => self::text( $group['name'], 100 ),
					'lines' => $lines,
				);
			}
		}
		return $found;
	}

	/** @return string[] As a mail lists them. */
	private static function lines( array $groups ): array {
		$texts = array();
		foreach ( $groups as $group ) {
			foreach ( $group['lines'] as $line ) {
				$texts[] = self::text( '' === $line['notes'] ? $line['text'] : $line['text'] . ', ' . $line['notes'], 500 );
			}
		}
		return $texts;
	}

	/** As the hub reads cards of a page: notes in brackets. */
	private static function told( array $groups ): array {
		$told = array();
		foreach ( array_slice( $groups, 0, self::MAX_GROUPS ) as $group ) {
			$lines = array();
			foreach ( array_slice( $group['lines'], 0, self::MAX_INGREDIENTS ) as $line ) {
				$notes   = preg_replace( '/^\((.*)\)$/s', '$1', $line['notes'] );
				$lines[] = array(
					'text' => self::text( '' === $notes ? $line['text'] : $line['text'] . ' (' . $notes . ')', 500 ),
					'uid'  => '' === $line['uid'] ? null : $line['uid'],
				);
			}
			$told[] = array(
				'name'  => '' === $group['name'] ? null : $group['name'],
				'lines' => $lines,
			);
		}
		return $told;
	}
}
