#!/usr/bin/env perl
# A bot in Perl, with nothing but its standard library: una bot run --exec "perl scripts/bots/perl/jsonlines.pl" HOST
# It wishes the colour it holds most of, keeps its wild cards, calls una, and catches who forgot to.
use strict;
use warnings;
use JSON::PP;

$| = 1;    # each line goes out at once
my $json = JSON::PP->new->utf8->canonical;
my ($me, @hand) = (-1);

sub color { my ($card) = @_; return $card =~ /^W/ ? "" : substr($card, 0, 1) }

sub worth {    # what is laid first: coloured cards of the colour held most, wilds last
    my ($play) = @_;
    my $color = $play->{color} ? uc substr($play->{color}, 0, 1) : color($play->{card});
    return (grep { color($_) eq $color } @hand) - ($play->{card} =~ /^W/ ? 100 : 0);
}

while (my $line = <STDIN>) {
    my $message = $json->decode($line);
    my $event = $message->{t} eq "ev" ? $message->{e} : {k => ""};
    if ($message->{t} eq "state") {
        ($me, @hand) = ($message->{you} // -1, @{$message->{hand} // []});
    } elsif ($event->{hand} and $event->{k} ne "shown") {    # dealt, or swapped
        @hand = @{$event->{hand}};
    } elsif ($event->{k} eq "drew" and $event->{cards}) {
        push @hand, @{$event->{cards}};
    } elsif ($event->{k} eq "played" and $event->{seat} == $me) {
        my ($at) = grep { $hand[$_] eq $event->{card} } 0 .. $#hand;
        splice @hand, $at, 1 if defined $at;
    } elsif ($event->{k} eq "turn" and $event->{seat} == $me) {
        print $json->encode({do => {k => "catch", seat => $_}}), "\n" for grep { $_ != $me } @{$event->{catchable} // []};
    } elsif ($message->{t} eq "turn") {
        my @plays = sort { worth($b) <=> worth($a) } grep { $_->{k} eq "play" } @{$message->{legal}};
        my $do = @plays ? {%{$plays[0]}} : $message->{legal}[$message->{default}];
        $do->{una} = JSON::PP::true if @plays and $message->{can_una};
        print $json->encode({turn => $message->{turn}, do => $do}), "\n";
    }
}
