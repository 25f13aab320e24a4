<?php
/**
 * The tiers of members as the hub told them last, the lowest first: each opens what is for those before it.
 *
 * @package CreatorHq
 */

namespace CreatorHq\Gate;

final class Tiers {

	const ID = '/^[0-9a-f-]{36}$/';

	/** @param mixed $told By the hub; anything else changes nothing. */
	public static function keep( $told ) {
		if ( ! is_array( $told ) ) {
			return;
		}
		$tiers = array();
		foreach ( $told as $tier ) {
			if ( is_string( $tier['id'] ?? null ) && preg_match( self::ID, $tier['id'] ) ) {
				$tiers[ $tier['id'] ] = array( sanitize_text_field( (string) ( $tier['name'] ?? '' ) ), ! empty( $tier['isOpen'] ) );
			}
		}
		if ( self::all() !== $tiers ) {
			Memberships::keep( compact( 'tiers' ) );
			// A card is for the strictest of its posts.
			LockedCards::find();
		}
	}

	/** @return array<string, array{0: string, 1: bool}> By their ids, the name and whether it takes new members. */
	public static function all(): array {
		return (array) Memberships::get( 'tiers', array() );
	}

	/** @param string $who As a lock names it. @return string The name; '' for a tier that nobody knows. */
	public static function name_of( string $who ): string {
		return self::all()[ substr( $who, strlen( Lock::TIER ) ) ][0] ?? '';
	}

	/** What locks name a tier by: '' when there is none of this id or name. */
	public static function find( string $said ): string {
		foreach ( self::all() as $id => list( $name ) ) {
			if ( $said === $id || 0 === strcasecmp( $said, $name ) ) {
				return Lock::TIER . $id;
			}
		}
		return '';
	}

	/** @param array<string, int> $held Until when, by ids. @return string The highest that is held now, as locks name it; '' for none that is known. */
	public static function highest_of( array $held ): string {
		foreach ( array_reverse( array_keys( self::all() ) ) as $id ) {
			if ( (int) ( $held[ $id ] ?? 0 ) > time() ) {
				return Lock::TIER . $id;
			}
		}
		return '';
	}

	/** What a member of any tier reads up to, as locks name it. */
	public static function lowest(): string {
		$lowest = array_key_first( self::all() );
		return null === $lowest ? 'members' : Lock::TIER . $lowest;
	}

	/** @return array<string, string> In words, whom editors may lock something for. Of a single tier everybody is a member. */
	public static function audiences(): array {
		$whom = '' === Enter::members_at() ? array( 'subscribers' ) : array( 'subscribers', 'readers', 'members' );
		foreach ( count( self::all() ) > 1 ? self::all() : array() as $id => list( , $is_open ) ) {
			if ( $is_open ) {
				$whom[] = Lock::TIER . $id;
			}
		}
		return array_combine( $whom, array_map( array( self::class, 'label' ), $whom ) );
	}

	/** For whom something is locked, in words. */
	public static function label( string $who ): string {
		$words = array(
			'subscribers' => __( 'Subscribers', 'creator-hq' ),
			'readers'     => __( 'Readers who enter their email', 'creator-hq' ),
			'members'     => __( 'Members', 'creator-hq' ),
		);
		/* translators: %s: the name of a tier of memberships */
		return $words[ $who ] ?? ( '' === self::name_of( $who ) ? __( 'Members of the highest tier', 'creator-hq' ) : sprintf( __( 'Members of %s and above', 'creator-hq' ), self::name_of( $who ) ) );
	}
}
